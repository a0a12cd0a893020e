package dev.queenmq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What differs where there is no Linux with glibc, as far as it can be tried on Linux. */
class OtherPlatformsTest {

  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, false, linux-x86_64",
    "Linux, aarch64, false, linux-arm_64",
    "Linux, amd64, true, linux-x86_64-alpine_linux",
    "Linux, aarch64, true, linux-arm_64-alpine_linux",
    "Mac OS X, x86_64, false, darwin-x86_64",
    "Mac OS X, aarch64, false, darwin-arm_64",
  })
  void platforms_areNamedAsTheArchivesAre(
      String system, String processor, boolean alpine, String name) {
    assertThat(BundledArchive.platform(system, processor, alpine)).isEqualTo(name);
  }

  /** No build for Linux has an archive for these. */
  @ParameterizedTest
  @CsvSource({
    "Mac OS X, riscv64, false, brew --prefix postgresql@18",
    "Linux, riscv64, true, apk add postgresql18",
    "Linux, riscv64, false, QUEEN_PG_BIN",
    "Windows 11, amd64, false, WSL",
  })
  void missingArchive_isToldInOneLine_withWhatToDo(
      String system, String processor, boolean alpine, String advice) {
    assertThatThrownBy(() -> BundledArchive.forMachine(system, processor, alpine))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining(advice)
        .hasMessageContaining("PG_HOST")
        .satisfies(failure -> assertThat(failure).message().hasLineCount(1));
  }
}
