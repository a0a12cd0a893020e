package dev.queenmq.client.internal;

import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * For clients whose brokers all have plain HTTP URLs. The HTTP client of the JDK wants a context of
 * TLS in any case. The default one reads the certificates of all authorities that the machine
 * trusts: that is a third of the time that it takes to make a client.
 */
final class NoTls extends SSLContextSpi {
  private NoTls() {}

  static SSLContext context() {
    return new SSLContext(new NoTls(), null, "none") {};
  }

  private static UnsupportedOperationException refusal() {
    return new UnsupportedOperationException("no broker of this client has an https URL");
  }

  @Override
  protected void engineInit(
      KeyManager @Nullable [] keys,
      TrustManager @Nullable [] trust,
      @Nullable SecureRandom random) {
    throw refusal();
  }

  @Override
  protected SSLSocketFactory engineGetSocketFactory() {
    throw refusal();
  }

  @Override
  protected SSLServerSocketFactory engineGetServerSocketFactory() {
    throw refusal();
  }

  @Override
  protected SSLEngine engineCreateSSLEngine() {
    throw refusal();
  }

  @Override
  protected SSLEngine engineCreateSSLEngine(String host, int port) {
    throw refusal();
  }

  /** What this can do: nothing. Asked for by HTTP clients that look for HTTP/3. */
  @Override
  protected SSLParameters engineGetSupportedSSLParameters() {
    return new SSLParameters(new String[0], new String[0]);
  }

  @Override
  protected SSLParameters engineGetDefaultSSLParameters() {
    return engineGetSupportedSSLParameters();
  }

  @Override
  protected SSLSessionContext engineGetServerSessionContext() {
    throw refusal();
  }

  @Override
  protected SSLSessionContext engineGetClientSessionContext() {
    throw refusal();
  }
}
