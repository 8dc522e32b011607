import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { build } from 'vite'

const packable = new Set(['.html', '.js', '.css', '.json', '.svg', '.txt', '.webmanifest'])

/** Writes dist/web: five pages, and everything they load under /assets/ with its hash in the name. */
export async function buildWeb(): Promise<void> {
  await build({
    configFile: fileURLToPath(new URL('./vite.config.ts', import.meta.url)),
    logLevel: 'warn',
  })
  await packAhead(fileURLToPath(new URL('../dist/web', import.meta.url)))
}

/** Beside each text file its Brotli form, so that no server packs it anew for the first who asks. */
async function packAhead(directory: string): Promise<void> {
  const files = await readdir(directory, { recursive: true })
  await Promise.all(
    files
      .filter((file) => packable.has(extname(file)))
      .map(async (file) => {
        const bytes = await readFile(join(directory, file))
        const packed = await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
        await writeFile(join(directory, `${file}.br`), packed)
      }),
  )
}

if (import.meta.main) await buildWeb()
