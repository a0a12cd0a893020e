import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import org.tukaani.xz.XZInputStream;

/**
 * Copies the jar of a broker with its PostgreSQL packed in another way: {@code postgres-*.tar},
 * compressed by the jar itself, for {@code postgres-*.txz}. A first start unpacks that
 * faster, and without the program {@code xz}. The jar becomes larger by a third.
 *
 * <p>Run by the build: {@code java -cp JAR RepackPostgres.java JAR COPY}; the jar has the library
 * that reads {@code .xz}. The same jar gives the same bytes.
 */
final class RepackPostgres {
  private static final String OLD = ".txz";
  private static final String NEW = ".tar";

  private RepackPostgres() {}

  public static void main(String[] arguments) throws IOException {
    Path copy = Path.of(arguments[1]);
    Files.createDirectories(copy.getParent());
    Files.copy(Path.of(arguments[0]), copy, StandardCopyOption.REPLACE_EXISTING);
    try (FileSystem jar = FileSystems.newFileSystem(copy);
        DirectoryStream<Path> packed =
            Files.newDirectoryStream(jar.getPath("/"), "postgres-*" + OLD)) {
      for (Path archive : packed) {
        repack(archive);
      }
    }
  }

  private static void repack(Path archive) throws IOException {
    FileTime time = Files.getLastModifiedTime(archive);
    String name = archive.getFileName().toString();
    Path unpacked =
        archive.resolveSibling(name.substring(0, name.length() - OLD.length()) + NEW);
    try (InputStream in = new XZInputStream(Files.newInputStream(archive));
        OutputStream out = Files.newOutputStream(unpacked)) {
      in.transferTo(out);
    }
    // All three: the others would say when this ran.
    Files.getFileAttributeView(unpacked, BasicFileAttributeView.class).setTimes(time, time, time);
    Files.delete(archive);
  }
}
