package dev.queenmq.client.internal;

import dev.queenmq.client.ClientListener;
import dev.queenmq.client.RequestInterceptor;
import dev.queenmq.client.RetryPolicy;
import dev.queenmq.client.Routing;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a transport.
 *
 * @param urls the brokers, at least one
 * @param routing how to choose among them
 * @param rest how long a broker is left out after a failure
 * @param retry how long to repeat requests
 * @param connectTimeout of one connection
 * @param requestTimeout of one attempt, unless the request says otherwise
 * @param token bearer tokens, if any
 * @param ssl for https, null for the platform's default
 * @param headers sent with every request
 * @param interceptors called before every attempt
 * @param listeners called after every attempt
 */
public record TransportConfig(
    List<URI> urls,
    Routing routing,
    Duration rest,
    RetryPolicy retry,
    Duration connectTimeout,
    Duration requestTimeout,
    @Nullable Supplier<String> token,
    @Nullable SSLContext ssl,
    Map<String, String> headers,
    List<RequestInterceptor> interceptors,
    List<ClientListener> listeners) {}
