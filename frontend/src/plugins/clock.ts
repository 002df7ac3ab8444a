/** The clock under the name by which plugins outside this folder know it: those that `new_paradigm` writes, and benchmarks. */

export { type ClockName, clock, type DisplayRecord, type Onset, type Showing } from "../timing/clock";
