package dev.queenmq.server.http.messages;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.admin.TraceDraft;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.encryption.PayloadReader;
import dev.queenmq.server.http.admin.GroupCodec;
import dev.queenmq.server.http.admin.MessageCodec;
import dev.queenmq.server.http.admin.TraceCodec;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.ErrorBody;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.ItemList;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.http.streams.CycleCodec;
import dev.queenmq.server.http.streams.CycleRequest;
import dev.queenmq.server.http.streams.StateCodec;
import dev.queenmq.server.http.streams.StreamQueryCodec;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.streams.Cycle;
import dev.queenmq.server.model.streams.StateChange;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.testing.Allocation;
import dev.queenmq.server.testing.JsonReference;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Any bytes as the body of any request: a value or a refusal that can be told, in memory that the
 * size of the body bounds.
 */
@ResourceLock("jazzer")
class BodyCodecsFuzzTest {
  private static final HttpLimits LIMITS = HttpLimits.defaults();
  private static final JsonFactory FACTORY = JsonInput.factory(LIMITS.maxDepth());
  private static final ItemList LIST = new ItemList(LIMITS.maxItems());
  private static final MessageIds IDS = new MessageIds(InstantSource.system());
  private static final JsonReference REFERENCE = new JsonReference(LIMITS.maxDepth());

  private static final AckCodec ACKS = new AckCodec(FACTORY, LIST);
  private static final GroupCodec GROUPS = new GroupCodec(FACTORY);
  private static final MessageCodec MESSAGES = new MessageCodec(FACTORY, LIST);
  private static final List<Function<Body, ?>> CODECS =
      List.of(
          body -> new PushCodec(FACTORY, LIST, IDS).read(body, "someone"),
          ACKS::readOne,
          ACKS::readBatch,
          body -> new TransactionCodec(FACTORY, LIST, IDS).read(body, "someone"),
          new ConfigureCodec(FACTORY, true)::read,
          new ConfigureCodec(FACTORY, false)::read,
          new LeaseCodec(FACTORY)::read,
          GROUPS::subscription,
          GROUPS::seek,
          GROUPS::seekPartition,
          new TraceCodec(FACTORY, PayloadReader.with(Encryption.none()))::read,
          MESSAGES::wish,
          MESSAGES::redrive,
          new StreamQueryCodec(FACTORY)::read,
          body -> new CycleCodec(FACTORY, LIST, IDS).read(body, "someone"),
          new StateCodec(FACTORY, LIST, LIMITS)::read);

  /** The one thing that only the parser of bytes refuses: half a surrogate pair in a name. */
  private static final Pattern ESCAPED_SURROGATE = Pattern.compile("\\\\u[dD][89a-fA-F]");

  /** Buffers of the parser, mostly. */
  private static final long BYTES_AT_LEAST = 256 * 1024;

  private static final long BYTES_PER_BYTE = 200;
  private static final int LONGEST_PROBLEM = 500;

  @Timeout(120)
  @DictionaryFile(resourcePath = "/dev/queenmq/server/http/messages/bodies.dict")
  @FuzzTest
  void bodies(byte[] bytes) {
    Body body = new Body(bytes, bytes.length);
    Optional<String> value = text(bytes).flatMap(REFERENCE::value);
    if (isJson(body) != value.isPresent()) {
      assertThat(value).as("what another parser makes of it").isPresent();
      assertThat(text(bytes).orElseThrow()).containsPattern(ESCAPED_SURROGATE);
    }
    for (Function<Body, ?> codec : CODECS) {
      Object[] result = {codec};
      long bounds = BYTES_AT_LEAST + BYTES_PER_BYTE * bytes.length;
      assertThat(Allocation.isWithin(bounds, () -> result[0] = read(codec, body)))
          .as("whether it takes at most %d bytes", bounds)
          .isTrue();
      Object read = result[0];
      if (read instanceof HttpProblem problem) {
        checkProblem(problem);
      } else {
        assertThat(value.isPresent() || body.isBlank()).as("whether it is JSON").isTrue();
        slices(read).forEach(slice -> assertThat(REFERENCE.value(slice)).as(slice).isPresent());
        names(read).forEach(name -> Texts.name("name", name));
        messages(read)
            .forEach(
                message ->
                    assertThat(message.payloadBytes())
                        .as("bytes of %s", message.payload())
                        .isEqualTo(message.payload().getBytes(StandardCharsets.UTF_8).length));
      }
    }
  }

  /** What was read, or the problem with it. */
  private static Object read(Function<Body, ?> codec, Body body) {
    try {
      return codec.apply(body);
    } catch (HttpProblem problem) {
      return problem;
    }
  }

  private static void checkProblem(HttpProblem problem) {
    assertThat(problem.status()).isIn(400, 409);
    assertThat(problem.text()).isNotBlank().hasSizeLessThan(LONGEST_PROBLEM);
    assertThat(problem.text().lines()).hasSize(1);
    assertThat(REFERENCE.value(ErrorBody.of(problem.text()).toString())).isPresent();
  }

  /** What is stored as JSON because it stood in the body as such. */
  private static Stream<String> slices(Object read) {
    if (read instanceof TraceDraft trace) {
      return Stream.of(trace.data());
    } else if (read instanceof CycleRequest.Sent sent) {
      return Stream.concat(
          sent.cycle().changes().stream()
              .filter(StateChange.Put.class::isInstance)
              .map(change -> ((StateChange.Put) change).value()),
          messages(read).map(Message::payload));
    }
    return messages(read).map(Message::payload);
  }

  private static Stream<String> names(Object read) {
    return messages(read).flatMap(it -> Stream.of(it.queue(), it.partition(), it.transactionId()));
  }

  private static Stream<Message> messages(Object read) {
    if (read instanceof List<?> list) {
      return list.stream().filter(Message.class::isInstance).map(Message.class::cast);
    } else if (read instanceof TransactionRequest.Sent sent) {
      return sent.transaction().operations().stream()
          .filter(Operation.Push.class::isInstance)
          .map(operation -> ((Operation.Push) operation).message());
    } else if (read instanceof CycleRequest.Sent sent) {
      Cycle cycle = sent.cycle();
      return cycle.messages().stream();
    }
    return Stream.empty();
  }

  private static boolean isJson(Body body) {
    try {
      return JsonInput.read(
          FACTORY,
          body,
          in -> {
            in.skip();
            return true;
          });
    } catch (HttpProblem problem) {
      checkProblem(problem);
      return false;
    }
  }

  /** The text, without the mark that it may start with. */
  private static Optional<String> text(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return Optional.of(text.startsWith("\ufeff") ? text.substring(1) : text);
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
