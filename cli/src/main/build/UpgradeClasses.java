import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Brings old class files in a jar up to a version that the JVM can keep in an archive of classes.
 * Those of the library that reads arguments were compiled for Java 5; to parse and to verify them
 * takes a good part of the time of a command. Their code stays the same. They get stack maps, which
 * newer class files must have.
 *
 * <p>Run by the build: {@code java -cp asm.jar UpgradeClasses.java JAR}. The same jar gives the
 * same bytes.
 */
final class UpgradeClasses {
  private static final int OLD = Opcodes.V1_7;
  private static final int NEW = Opcodes.V1_8;
  private static final int MAJOR_AT = 6;
  private static final String NOTE = "META-INF/UPGRADED.txt";

  private UpgradeClasses() {}

  public static void main(String[] arguments) throws IOException {
    Path jar = Path.of(arguments[0]);
    Path upgraded = jar.resolveSibling(jar.getFileName() + ".new");
    StringBuilder names = new StringBuilder();
    try (ZipFile in = new ZipFile(jar.toFile());
        URLClassLoader classes =
            new URLClassLoader(
                new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(upgraded))) {
      long time = 0;
      for (ZipEntry entry : Collections.list(in.entries())) {
        byte[] bytes = in.getInputStream(entry).readAllBytes();
        if (entry.getName().equals(NOTE)) {
          continue;
        }
        if (entry.getName().endsWith(".class") && bytes[MAJOR_AT + 1] < (OLD & 0xff)) {
          bytes = upgraded(bytes, classes);
          names.append(entry.getName()).append('\n');
        }
        time = entry.getTime();
        write(out, entry.getName(), time, bytes);
      }
      write(
          out,
          NOTE,
          time,
          ("These class files were given stack maps and a newer version number. Their code is as it"
                  + " was published.\n\n"
                  + names)
              .getBytes(StandardCharsets.UTF_8));
    }
    Files.move(upgraded, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void write(ZipOutputStream out, String name, long time, byte[] bytes)
      throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(time);
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }

  private static byte[] upgraded(byte[] bytes, ClassLoader classes) {
    ClassWriter writer =
        new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
          @Override
          protected ClassLoader getClassLoader() {
            return classes;
          }
        };
    new ClassReader(bytes)
        .accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
              @Override
              public void visit(
                  int version,
                  int access,
                  String name,
                  String signature,
                  String superName,
                  String[] interfaces) {
                super.visit(NEW, access, name, signature, superName, interfaces);
              }
            },
            ClassReader.SKIP_FRAMES);
    return writer.toByteArray();
  }
}
