package dev.queenmq.server.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.util.List;

/**
 * The decoder of Vert.x, which in addition rejects heads that a {@link HeadScanner} finds invalid.
 * Such a request is handled like any other that is no HTTP. Owned by one connection.
 *
 * <p>While the decoder is within a head, one call consumes bytes of that head only; bodies begin
 * with the call after the one that emits the request. So the consumed bytes can be scanned without
 * knowing where heads end.
 */
final class StrictDecoder extends VertxHttpRequestDecoder {
  private static final String NAME = "httpDecoder";

  private final HeadScanner scanner = new HeadScanner();
  private boolean inBody;

  private StrictDecoder(HttpServerOptions options) {
    super(options);
  }

  /** Takes the place of the decoder of a connection on which nothing has arrived yet. */
  static void install(HttpConnection connection, HttpServerOptions options) {
    if (connection instanceof HttpServerConnection internal) {
      internal.channelHandlerContext().pipeline().replace(NAME, NAME, new StrictDecoder(options));
    }
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf bytes, List<Object> out)
      throws Exception {
    int known = out.size();
    int from = bytes.readerIndex();
    super.decode(context, bytes, out);
    if (!inBody) {
      for (int i = from; i < bytes.readerIndex(); i++) {
        scanner.next(bytes.getByte(i));
      }
    }
    for (int i = known; i < out.size(); i++) {
      Object part = out.get(i);
      if (part instanceof HttpRequest request) {
        inBody = true;
        scanner.fault().ifPresent(why -> refuse(request, why));
      }
      if (part instanceof LastHttpContent) {
        inBody = false;
        scanner.reset();
      }
    }
  }

  private static void refuse(HttpRequest request, String why) {
    if (request.decoderResult().isSuccess()) {
      request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException(why)));
    }
  }
}
