import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const compressibleExtensions = new Set(['.html', '.js', '.css', '.svg', '.webmanifest', '.txt', '.md'])

/** Each compression takes some megabytes of memory. */
const concurrency = 2

/** Writes a Brotli copy next to each text file, so that the server needn’t compress it on the first request. */
export async function precompressFiles(directory: string): Promise<void> {
  const files = await findUncompressed(directory)
  const compressNext = async () => {
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      const bytes = await readFile(join(directory, file))
      const compressed = await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
      await writeFile(join(directory, `${file}.br`), compressed)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, compressNext))
}

export async function findUncompressed(directory: string): Promise<string[]> {
  const files = await readdir(directory, { recursive: true })
  const existingFiles = new Set(files)
  return files.filter((file) => compressibleExtensions.has(extname(file)) && !existingFiles.has(`${file}.br`)).sort()
}
