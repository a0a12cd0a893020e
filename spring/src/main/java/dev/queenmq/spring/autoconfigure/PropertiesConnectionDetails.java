package dev.queenmq.spring.autoconfigure;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/** What the properties say. */
record PropertiesConnectionDetails(
    List<String> urls, @Nullable String token, @Nullable SslBundle sslBundle)
    implements QueenConnectionDetails {}
