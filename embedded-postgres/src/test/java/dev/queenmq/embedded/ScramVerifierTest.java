package dev.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ScramVerifierTest {

  /** The values are another implementation's. */
  @Test
  void verifier_isTheOneOfTheStandard() {
    assertThat(ScramVerifier.of("secret", "0123456789abcdef".getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo(
            "SCRAM-SHA-256$1:MDEyMzQ1Njc4OWFiY2RlZg==$rb2i4FWE8CCi1HDhnBxhv8/uERf3QN6tiTjE4qSdliQ="
                + ":gWfVquF9Vgm4YA/KIyjllnL4Zn6B7unP+DKFnilYEAg=");
  }

  @Test
  void verifier_hasASaltOfItsOwn() {
    assertThat(ScramVerifier.of("secret")).isNotEqualTo(ScramVerifier.of("secret"));
  }
}
