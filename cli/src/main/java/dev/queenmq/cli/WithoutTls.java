package dev.queenmq.cli;

import java.security.KeyManagementException;
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

/**
 * Stands where Java's HTTP client wants TLS, for brokers that are reached without it. The real one
 * reads the certificates of the platform and looks for every algorithm that it could use, which
 * takes longer than the request. A connection that needs TLS fails with this one.
 */
final class WithoutTls extends SSLContext {

  WithoutTls() {
    super(new Nothing(), null, "none");
  }

  private static final class Nothing extends SSLContextSpi {
    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return new SSLParameters(new String[0], new String[] {"TLSv1.3"});
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return engineGetDefaultSSLParameters();
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("there is no TLS here");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      throw none();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      throw none();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      throw none();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      throw none();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      throw none();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      throw none();
    }

    private static IllegalStateException none() {
      return new IllegalStateException("there is no TLS here");
    }
  }
}
