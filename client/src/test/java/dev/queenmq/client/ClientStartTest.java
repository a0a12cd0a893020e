package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every application that uses the client waits for what it does at its start. */
class ClientStartTest {
  private static final String CERTIFICATES = "sun.security.ssl.TrustStoreManager";

  @Test
  void certificates_areReadForBrokersWithHttpsOnly() throws Exception {
    assertThat(classesOf("http://127.0.0.1:1")).doesNotContain(CERTIFICATES);
    assertThat(classesOf("https://127.0.0.1:1")).contains(CERTIFICATES);
  }

  /** What a JVM loads that makes a client of this broker, and nothing else. */
  private static String classesOf(String url) throws Exception {
    Process child =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-Xlog:class+load",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Child.class.getName(),
                    url))
            .redirectErrorStream(true)
            .start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).as(output).isZero();
    return output;
  }

  /** Makes a client. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) {
      QueenClient.connect(arguments[0]).close();
    }
  }
}
