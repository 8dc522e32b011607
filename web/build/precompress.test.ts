import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findUncompressed, precompressFiles } from './precompress.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keeper-pack-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  writeFileSync(join(folder, 'assets/app.js'), 'let text = "the same, the same, the same"')
  writeFileSync(join(folder, 'assets/letters.woff2'), 'packed already')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('every text file of the build is compressed, compressed formats are not', async () => {
  expect(await findUncompressed(folder)).toEqual(['assets/app.js', 'index.html'])
  await precompressFiles(folder)
  expect(await findUncompressed(folder)).toEqual([])
  const packed = readFileSync(join(folder, 'assets/app.js.br'))
  expect(String(brotliDecompressSync(packed))).toBe('let text = "the same, the same, the same"')
  writeFileSync(join(folder, 'assets/later.css'), 'p {}')
  expect(await findUncompressed(folder)).toEqual(['assets/later.css'])
})
