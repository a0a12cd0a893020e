package dev.queenmq.embedded.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Whether a folder can be written to, or made, without doing either. */
public final class FolderAccess {

  private FolderAccess() {}

  /**
   * Looks at the folder, or at the nearest one above it that exists.
   *
   * @throws IOException that names what is in the way
   */
  public static void check(Path folder) throws IOException {
    @Nullable Path nearest = folder.toAbsolutePath().normalize();
    while (nearest != null && !Files.exists(nearest)) {
      nearest = nearest.getParent();
    }
    if (nearest == null) {
      return;
    }
    if (!Files.isDirectory(nearest)) {
      throw new FileSystemException(
          nearest.toString(), null, "something that is not a folder is in the way");
    }
    if (!Files.isWritable(nearest) || !Files.isExecutable(nearest)) {
      throw new AccessDeniedException(nearest.toString());
    }
  }
}
