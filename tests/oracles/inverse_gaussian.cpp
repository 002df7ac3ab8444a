// Inverse Gaussian times of people and items with crossed intercepts: the joint negative log density, which TMB integrates.
#include <TMB.hpp>
template<class Type> Type objective_function<Type>::operator() () {
  DATA_VECTOR(y); DATA_MATRIX(X); DATA_IVECTOR(p); DATA_IVECTOR(i); DATA_INTEGER(identity);
  PARAMETER_VECTOR(beta); PARAMETER_VECTOR(logsd); PARAMETER(logshape); PARAMETER_VECTOR(u); PARAMETER_VECTOR(v);
  Type shape = exp(logshape), total = 0;
  vector<Type> eta = X * beta;
  for (int k = 0; k < u.size(); k++) total -= dnorm(u(k), Type(0), exp(logsd(0)), true);
  for (int k = 0; k < v.size(); k++) total -= dnorm(v(k), Type(0), exp(logsd(1)), true);
  for (int k = 0; k < y.size(); k++) {
    Type mu = eta(k) + u(p(k)) + v(i(k));
    if (!identity) mu = exp(mu);
    total -= Type(0.5) * (logshape - log(Type(2 * M_PI)) - Type(3) * log(y(k))) - shape * (y(k) - mu) * (y(k) - mu) / (Type(2) * mu * mu * y(k));
  }
  return total;
}
