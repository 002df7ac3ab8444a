# A simulated magnitude estimation study, 50 people x 144 items, 4 markers x 2 orders in a Latin square of 8 lists, 2 % of
# the ratings missing, and what afex, emmeans, lme4 and lmerTest make of it. No data of others are in it.
# In this folder: OPENBLAS_NUM_THREADS=1 Rscript make.R && xz -9e -f trials.csv scores.csv expected.json
# R 4.2.2, afex 1.2.1, emmeans 1.8.4.1, lme4 1.1.31, lmerTest 3.1.3 (Debian 12); versions are stored in expected.json.
suppressPackageStartupMessages({library(jsonlite);library(afex);library(emmeans);library(lme4);library(lmerTest)})
afex_options(type=3); set_sum_contrasts(); emm_options(msg.interaction=FALSE)
df2l <- function(x){ x <- as.data.frame(x); x[] <- lapply(x,function(c) if(is.factor(c)) as.character(c) else c); x }
norow <- function(x){ if(is.data.frame(x)){ rownames(x) <- NULL; x } else if(is.list(x)) lapply(x,norow) else x }
wr <- function(x,f) writeLines(toJSON(norow(x),digits=NA,auto_unbox=TRUE,na="null",null="null",pretty=TRUE,dataframe="rows"),f)
versions <- function() as.list(c(R=R.version.string, sapply(c("afex","car","emmeans","lme4","lmerTest","ordinal","psych"),function(p) as.character(packageVersion(p)))))
rm_anova <- function(a){            # a: afex_aov
  s <- suppressWarnings(summary(a$Anova, multivariate=FALSE))
  un <- s$univariate.tests; un <- data.frame(term=rownames(un), SS=un[,1], num_df=un[,2], SS_error=un[,3], den_df=un[,4], F=un[,5], p=un[,6])
  sp <- s$sphericity.tests; pv <- s$pval.adjustments
  none <- df2l(anova(a,es=c("ges","pes"),correction="none")); none$term <- rownames(anova(a,correction="none"))
  gg   <- df2l(anova(a,es=c("ges","pes"),correction="GG"));   gg$term <- rownames(none)
  hf   <- df2l(anova(a,es=c("ges","pes"),correction="HF"));   hf$term <- rownames(none)
  nm <- function(d){ names(d) <- sub("num Df","num_df",sub("den Df","den_df",sub("Pr\\(>F\\)","p",names(d)))); d }
  out <- list(univariate=un, uncorrected=nm(none), GG=nm(gg), HF=nm(hf))
  if(!is.null(sp) && length(sp)>0){ out$mauchly <- data.frame(term=rownames(sp), W=sp[,1], p=sp[,2])
    out$epsilon <- data.frame(term=rownames(pv), GG_eps=pv[,1], GG_p=pv[,2], HF_eps=pv[,3], HF_p=pv[,4]) }
  out }
tukey_pooled <- function(cells, y, subj, fac, MSE, dfe, k){   # classical Tukey HSD: means of all k cells, one pooled error term
  m <- tapply(y, cells, mean); n <- length(unique(subj)); nm <- names(m); o <- list()
  for(i in seq_along(m)) for(j in seq_along(m)) if(i<j){ d <- m[i]-m[j]; q <- abs(d)/sqrt(MSE/n)
    o[[length(o)+1]] <- data.frame(a=nm[i],b=nm[j],mean_a=m[[i]],mean_b=m[[j]],diff=as.numeric(d),se_q=sqrt(MSE/n),q=as.numeric(q),df=dfe,k=k,p=ptukey(as.numeric(q),k,dfe,lower.tail=FALSE),
       hsd_lo=as.numeric(d)-qtukey(.95,k,dfe)*sqrt(MSE/n),hsd_hi=as.numeric(d)+qtukey(.95,k,dfe)*sqrt(MSE/n)) }
  do.call(rbind,o) }
minF <- function(F1,n1,F2,n2,num){ mf <- F1*F2/(F1+F2); dd <- (F1+F2)^2/(F1^2/n2+F2^2/n1)   # n1 = error df of F1, n2 = error df of F2
  data.frame(minF=mf, num_df=num, den_df=dd, p=pf(mf,num,dd,lower.tail=FALSE)) }
lmm <- function(m){ s <- summary(m); co <- as.data.frame(s$coefficients); names(co) <- sub("Std. Error","se",sub("Pr\\(>\\|t\\|\\)","p",sub("t value","t",sub("Estimate","estimate",names(co))))); co$term <- rownames(co)
  vc <- as.data.frame(VarCorr(m)); list(fixed=co, varcorr=vc, theta=getME(m,"theta"), sigma=sigma(m), logLik=as.numeric(logLik(m)), REML=isREML(m), criterion=if(isREML(m)) REMLcrit(m) else -2*as.numeric(logLik(m)), AIC=AIC(m), BIC=BIC(m), nobs=nobs(m), ngrps=as.list(ngrps(m)), singular=isSingular(m), vcov_fixed=as.matrix(vcov(m)), conv=m@optinfo$conv$lme4$messages) }

library(car)
markers <- c("because","because-of","cause-verb","cause-noun"); orders <- c("cause-effect","effect-cause")
conds <- expand.grid(order=orders, marker=markers, stringsAsFactors=FALSE)          # 8 conditions
sim <- function(seed, gsizes, pmiss, dir){
  set.seed(seed); G <- rep(LETTERS[1:8], gsizes); ns <- length(G); ni <- 144
  base <- matrix(c(-.14,.12,-.11,.13,.13,-.05,.01,-.11)*2.2, nrow=8)                  # latent cell means (order fastest), shaped like Table 4 of Siddharthan & Katsos (2012)
  Xm <- contr.sum(4); # correlated subject and item deviations per condition
  Ls <- chol(.35^2*(diag(8)*.45+.55)); Li <- chol(.45^2*(diag(8)*.4+.6))
  us <- matrix(rnorm(ns*8),ns)%*%Ls; ui <- matrix(rnorm(ni*8),ni)%*%Li
  modulus <- sample(c(10,10,20,50,50,100,100,100,5,1),ns,TRUE); slope <- exp(rnorm(ns,log(.35),.35)); grain <- ifelse(modulus>=50,5,ifelse(modulus>=10,1,.5))
  rows <- list(); n <- 0
  for(s in 1:ns){ g <- match(G[s],LETTERS)-1; ord <- sample(ni)
    for(t in 1:ni){ i <- ord[t]; c <- (g+i-1)%%8+1; lat <- base[c]+us[s,c]+ui[i,c]+rnorm(1,0,.9); x <- modulus[s]*exp(slope[s]*lat); x <- round(x/grain[s])*grain[s]
      n <- n+1; rows[[n]] <- data.frame(participant=sprintf("P%03d",s),group=G[s],trial=t,item=sprintf("I%03d",i),condition=c,marker=conds$marker[c],order=conds$order[c],modulus=modulus[s],rating=max(x,0),rt_ms=round(exp(rnorm(1,8.1,.4)))) } }
  d <- do.call(rbind,rows); if(pmiss>0){ kill <- sample(nrow(d),round(pmiss*nrow(d))); d$rating[kill] <- NA }
  write.csv(d,file.path(dir,"trials.csv"),row.names=FALSE,na="")
  d <- read.csv(file.path(dir,"trials.csv"),stringsAsFactors=FALSE)
  o <- d[!is.na(d$rating),]
  o$z  <- ave(o$rating,o$participant,FUN=function(x)(x-mean(x))/sd(x))              # sample SD (n-1)
  o$zpop<- ave(o$rating,o$participant,FUN=function(x)(x-mean(x))/sqrt(mean((x-mean(x))^2)))
  o$logmod <- ifelse(o$rating>0, log10(o$rating/o$modulus), NA)                      # zero ratings have no logarithm
  o$zlog <- ave(o$logmod,o$participant,FUN=function(x)(x-mean(x,na.rm=TRUE))/sd(x,na.rm=TRUE))
  write.csv(o[,c("participant","trial","item","condition","marker","order","rating","z","zpop","logmod","zlog")],file.path(dir,"scores.csv"),row.names=FALSE)
  R <- list(versions=versions(), n_obs=nrow(o), n_participants=ns, zero_ratings=sum(o$rating==0))
  R$participants <- aggregate(cbind(mean=rating)~participant,o,mean); R$participants$sd <- aggregate(rating~participant,o,sd)$rating; R$participants$n <- aggregate(rating~participant,o,length)$rating
  analyse <- function(o,dv){ o$y <- o[[dv]]; o <- o[!is.na(o$y),]; o$marker <- factor(o$marker,markers); o$order <- factor(o$order,orders); out <- list(dv=dv)
    a1 <- aov_ez("participant","y",o,within=c("marker","order"),fun_aggregate=mean); a2 <- aov_ez("item","y",o,within=c("marker","order"),fun_aggregate=mean)
    out$F1 <- rm_anova(a1); out$F2 <- rm_anova(a2); u1 <- out$F1$univariate; u2 <- out$F2$univariate
    out$F1_omitted <- setdiff(unique(o$participant), a1$data$long$participant); 
    tt <- c("marker","order","marker:order"); out$minF <- do.call(rbind,lapply(tt,function(t) cbind(term=t,minF(u1$F[u1$term==t],u1$den_df[u1$term==t],u2$F[u2$term==t],u2$den_df[u2$term==t],u1$num_df[u1$term==t]))))
    cm <- a1$data$long; cm$cell <- interaction(cm$marker,cm$order,sep="|"); 
    out$cells <- df2l(aggregate(y~marker+order,cm,function(v) c(mean=mean(v),sd=sd(v),n=length(v)))); out$cells <- cbind(out$cells[,1:2],as.data.frame(aggregate(y~marker+order,cm,function(v) c(mean=mean(v),sd=sd(v),n=length(v)))$y))
    out$marginal_marker <- df2l(emmeans(a1,~marker)); out$marginal_order <- df2l(emmeans(a1,~order))
    i <- u1$term=="marker:order"; MSE <- u1$SS_error[i]/u1$den_df[i]; out$MSE_interaction <- MSE
    out$tukey_classical_8cells <- tukey_pooled(cm$cell,cm$y,cm$participant,NULL,MSE,u1$den_df[i],8)
    for(mod in c("univariate","multivariate")){
      if(mod=="univariate") a1 <- aov_ez("participant","y",o,within=c("marker","order"),fun_aggregate=mean,include_aov=TRUE)
      e <- list(); e$order_by_marker <- df2l(pairs(emmeans(a1,~order|marker,model=mod),adjust="tukey")); e$marker_by_order <- df2l(pairs(emmeans(a1,~marker|order,model=mod),adjust="tukey"))
      e$all8 <- df2l(pairs(emmeans(a1,~marker*order,model=mod),adjust="tukey")); e$all8_holm <- df2l(pairs(emmeans(a1,~marker*order,model=mod),adjust="holm")); e$emm <- df2l(confint(emmeans(a1,~marker*order,model=mod)))
      e$marker_main <- df2l(pairs(emmeans(a1,~marker,model=mod),adjust="tukey")); out[[paste0("emmeans_",mod)]] <- e }
    im <- aggregate(y~item+marker+order,o,mean); ord <- do.call(rbind,lapply(split(im,im$item),function(q) sort(q$y,decreasing=TRUE)[1:8])); out$nbest <- colMeans(ord,na.rm=TRUE); 
    best <- aggregate(y~marker+order,im,mean); out$best_fixed <- df2l(best)
    pm <- tapply(o$y,o$marker,mean); freq <- c("because"=741,"because-of"=140,"cause-verb"=180,"cause-noun"=86); ct <- suppressWarnings(cor.test(as.numeric(pm),as.numeric(freq[names(pm)]),method="spearman")); out$spearman_freq <- list(rho=ct$estimate[[1]],p_exact=ct$p.value,marker_means=as.list(pm))
    out }
  R$z <- analyse(o,"z"); R$logmod <- analyse(o,"logmod")
  o$marker <- factor(o$marker,markers); o$order <- factor(o$order,orders); contrasts(o$marker) <- contr.sum(4); contrasts(o$order) <- contr.sum(2)
  o$m1 <- model.matrix(~marker,o)[,2]; o$m2 <- model.matrix(~marker,o)[,3]; o$m3 <- model.matrix(~marker,o)[,4]; o$o1 <- model.matrix(~order,o)[,2]
  tm <- list(); L <- list()
  fit <- function(nm,f){ cat(nm,"\n"); t <- system.time(m <- suppressMessages(lmer(f$fo,o,REML=f$reml,control=lmerControl(optimizer="bobyqa",calc.derivs=TRUE))))[["elapsed"]]; t2 <- system.time(r <- lmm(m))[["elapsed"]]; r$seconds_fit <- t; r$seconds_summary <- t2
     if(f$reml){ aa <- anova(m); r$anova_type3_satterthwaite <- cbind(term=rownames(aa),df2l(aa)); if(nm=="crossed_intercepts_reml"){ r$emm <- df2l(emmeans(m,~marker*order,lmer.df="satterthwaite",lmerTest.limit=1e5)); r$pairs_order_by_marker <- df2l(pairs(emmeans(m,~order|marker,lmer.df="satterthwaite",lmerTest.limit=1e5),adjust="tukey")) } }
     L[[nm]] <<- r; invisible(m) }
  m0 <- fit("crossed_intercepts_reml",list(fo=logmod~marker*order+(1|participant)+(1|item),reml=TRUE))
  m1 <- fit("crossed_intercepts_ml",list(fo=logmod~marker*order+(1|participant)+(1|item),reml=FALSE))
  fit("order_slope_corr_reml",list(fo=logmod~marker*order+(1+o1|participant)+(1+o1|item),reml=TRUE))
  fit("order_slope_diag_reml",list(fo=logmod~marker*order+(1+o1||participant)+(1+o1||item),reml=TRUE))
  fit("max_diag_reml",list(fo=logmod~marker*order+(1+m1+m2+m3+o1||participant)+(1+m1+m2+m3+o1||item),reml=TRUE))
  fit("z_crossed_intercepts_reml",list(fo=z~marker*order+(1|participant)+(1|item),reml=TRUE))   # z: participant variance must collapse to 0 (singular)
  mm <- lmer(logmod~marker+order+(1|participant)+(1|item),o,REML=FALSE); lr <- anova(mm,m1); L$lrt_interaction <- list(chisq=lr$Chisq[2],df=lr$Df[2],p=lr$`Pr(>Chisq)`[2])
  R$lmm_logmod <- L
  wr(R,file.path(dir,"expected.json")); cat(dir,"done\n") }
sim(20100602,c(7,7,6,6,6,6,6,6),.02,".")
