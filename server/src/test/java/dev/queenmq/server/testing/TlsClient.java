package dev.queenmq.server.testing;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/** What a client of TLS believes and shows. */
public final class TlsClient {
  private static final char[] NO_PASSWORD = new char[0];

  private TlsClient() {}

  /** One that trusts an authority, and may have a certificate of its own. */
  public static SSLContext trusting(TestAuthority authority, Optional<TestCertificate> own) {
    try {
      KeyStore trusted = empty();
      trusted.setCertificateEntry("authority", authority.certificate());
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own.isEmpty() ? null : show(own.get()), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyManager[] show(TestCertificate own) {
    return new KeyManager[] {new Insistent(own)};
  }

  /** Shows its certificate whoever the server says that it trusts. */
  private static final class Insistent extends X509ExtendedKeyManager {
    private final TestCertificate own;

    Insistent(TestCertificate own) {
      this.own = own;
    }

    @Override
    public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
      return "own";
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return "own";
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return new String[] {"own"};
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
      return new String[0];
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      throw new UnsupportedOperationException("a client");
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return new X509Certificate[] {own.certificate()};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return own.keys().getPrivate();
    }
  }

  private static KeyStore empty() throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try {
      store.load(null, NO_PASSWORD);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return store;
  }
}
