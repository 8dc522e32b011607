import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const packable = new Set(['.html', '.js', '.css', '.svg', '.webmanifest'])

/** Puts the Brotli form of each text file beside it, so that no server packs it anew for the first who asks. */
export async function packAhead(directory: string): Promise<void> {
  await Promise.all(
    (await unpacked(directory)).map(async (file) => {
      const bytes = await readFile(join(directory, file))
      const packed = await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
      await writeFile(join(directory, `${file}.br`), packed)
    }),
  )
}

/** The text files that have no Brotli form. */
export async function unpacked(directory: string): Promise<string[]> {
  const files = await readdir(directory, { recursive: true })
  const there = new Set(files)
  return files.filter((file) => packable.has(extname(file)) && !there.has(`${file}.br`)).sort()
}
