package dev.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.cli.CommandRunner.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where tokens come from, which broker gets them, and what a command says that may not go on. */
class TokensIT {
  private static final String SECRET = "0123456789abcdef0123456789abcdef0123456789abcdef";

  @TempDir Path folder;

  @Test
  void tokens_comeFromOptions_files_variables_andContexts() throws Exception {
    try (LocalBroker broker =
        LocalBroker.start(folder, Map.of("JWT_ENABLED", "true", "JWT_SECRET", SECRET))) {
      String admin = token("admin");
      CommandRunner queen = new CommandRunner(folder.resolve("home"));
      queen.with("QUEEN_URL", broker.url());
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> queen.line("queues --token " + admin).code() == 0);

      Outcome without = queen.line("queues");
      assertThat(without.code()).isEqualTo(ExitCode.UNAUTHORIZED);
      assertThat(without.err()).startsWith("queen: ");
      String reader = token("read-only");
      assertThat(queen.line("queues --token " + reader).code()).isZero();
      assertThat(queen.line("push q 1 --token " + reader).code()).isEqualTo(ExitCode.UNAUTHORIZED);
      Path file = Files.writeString(folder.resolve("token"), admin + "\n");
      assertThat(queen.line("push q 1 --token-file " + file).code()).isZero();
      assertThat(queen.line("queues --token-file none").code()).isEqualTo(ExitCode.USAGE);

      CommandRunner other = new CommandRunner(folder.resolve("home"));
      other.line("context here --set " + broker.url() + " --with-token " + admin);
      assertThat(other.line("queues").code()).isZero();
      // The token belongs to the context, not to whatever else is asked.
      assertThat(other.line("queues --url " + broker.url()).code())
          .isEqualTo(ExitCode.UNAUTHORIZED);
      assertThat(other.with("QUEEN_TOKEN", admin).line("queues --url " + broker.url()).code())
          .isZero();
    }
  }

  private static String token(String role) throws GeneralSecurityException {
    String content =
        encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}")
            + "."
            + encode(
                "{\"sub\":\"test\",\"role\":\"%s\",\"exp\":%d}"
                    .formatted(role, Instant.now().plusSeconds(3_600).getEpochSecond()));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
    return content
        + "."
        + Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(mac.doFinal(content.getBytes(StandardCharsets.US_ASCII)));
  }

  private static String encode(String json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }
}
