package dev.queenmq.bench.compare;

import dev.queenmq.bench.http.Result;

/** What a table says of one measurement. */
record Figures(double rate, double p50, double p99, long errors) {

  static Figures of(Result result) {
    return new Figures(result.rate(), result.millis(50), result.millis(99), result.errors());
  }

  /**
   * How much better this is than another: above 1 it is ahead. Of rates the quotient; if the rate
   * is given, how many times longer the other's p99 is.
   */
  double to(Figures other, boolean latency) {
    return latency ? other.p99 / p99 : rate / other.rate;
  }
}
