import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { withReadSlot } from './archive-reader.ts'
import { ZipReader } from './zip-reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'keeper-zips-'))
afterAll(() => rmSync(folder, { recursive: true }))
const mebibyte = 1024 * 1024

async function zipFiles(files: Record<string, Buffer>, { forceZip64Format = false } = {}): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name, { forceZip64Format })
  zip.end({ forceZip64Format, comment: '' })
  return buffer(zip.outputStream as never)
}
let zipCount = 0
function openZip(bytes: Buffer): Promise<ZipReader> {
  const path = join(folder, `${++zipCount}.zip`)
  writeFileSync(path, bytes)
  return ZipReader.open(path)
}

it('a zip bomb is not unpacked', async () => {
  const bomb = await zipFiles({ 'keeper.json': Buffer.alloc(64 * mebibyte, 91) })
  expect(bomb.length).toBeLessThan(mebibyte / 8)
  const zip = await openZip(bomb)
  const memoryBefore = process.memoryUsage().rss
  await expect(zip.readText('keeper.json', mebibyte)).rejects.toMatchObject({
    kind: 'unprocessable',
    message: 'keeper.json is larger than 1 MB, which is too large to read.',
  })
  expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(20 * mebibyte)
  zip.close()
})

it('a ZIP64 file is read', async () => {
  const zip = await openZip(await zipFiles({ 'keeper.json': Buffer.from('{}') }, { forceZip64Format: true }))
  expect(zip.getSize('keeper.json')).toBe(2)
  expect(await zip.readText('keeper.json', mebibyte)).toBe('{}')
  zip.close()
})

it('unpacking stops at the declared size', async () => {
  const bytes = await zipFiles({ 'keeper.json': Buffer.alloc(64 * mebibyte, 91) })
  const central = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  bytes.writeUInt32LE(1000, central + 24)
  const zip = await openZip(bytes)
  expect(zip.getSize('keeper.json')).toBe(1000)
  const memoryBefore = process.memoryUsage().rss
  await expect(zip.readText('keeper.json', mebibyte)).rejects.toThrow('keeper.json in the zip is damaged.')
  expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(20 * mebibyte)
  zip.close()
})

it.each(['../../etc/cron.d/keeper', '/etc/passwd', 'C:\\x', 'a\\..\\..\\b'])(
  'an entry named %s is refused or ignored, and written nowhere',
  async (name) => {
    const safe = 'x'.repeat(Buffer.byteLength(name))
    const bytes = await zipFiles({ [safe]: Buffer.from('evil') })
    for (let index = bytes.indexOf(safe); index >= 0; index = bytes.indexOf(safe, index + 1)) bytes.write(name, index)
    const zip = await openZip(bytes).catch((error: Error) => error)
    if (zip instanceof ZipReader) zip.close()
    else expect(zip).toMatchObject({ kind: 'unprocessable', message: expect.stringContaining('damaged') })
  },
)

it('an oversized list of names is refused before it is in memory', async () => {
  const zip = new ZipFile()
  for (let index = 0; index < 1200; index++) zip.addBuffer(Buffer.alloc(0), `${index}${'n'.repeat(60_000)}`)
  zip.end()
  await expect(openZip(await buffer(zip.outputStream as never))).rejects.toMatchObject({ kind: 'unprocessable' })
})

it.each([
  ['UTF-8', Buffer.from('U\u0308ber – 日記.md'), 'Über – 日記.md'],
  ['the code page of DOS', Buffer.from('\x9aber.md', 'latin1'), 'Über.md'],
])('a name in %s without the UTF-8 flag is read', async (_, bytes, name) => {
  const zip = await zipFiles({ ['x'.repeat(bytes.length)]: Buffer.from('Hi') })
  for (const flags of [zip.indexOf('PK\x03\x04') + 6, zip.indexOf('PK\x01\x02') + 8]) zip.writeUInt16LE(0, flags)
  for (let at = zip.indexOf('xxx'); at >= 0; at = zip.indexOf('xxx')) bytes.copy(zip, at)
  const reader = await openZip(zip)
  expect(reader.names).toEqual([name])
  reader.close()
})

it('a nested zip stays a file', async () => {
  const zip = await openZip(await zipFiles({ 'inner.zip': await zipFiles({ 'keeper.json': Buffer.alloc(mebibyte) }) }))
  expect(zip.names).toEqual(['inner.zip'])
  zip.close()
})

it('any corruption or truncation is either read or refused', async () => {
  const intactZip = await zipFiles({
    'keeper.json': Buffer.from('{"format":"keeper"}'),
    'media/a.png': Buffer.from('png'),
  })
  for (let index = 0; index < intactZip.length; index++) {
    const damaged = Buffer.from(intactZip)
    damaged[index] = (damaged[index] ?? 0) ^ (1 << (index % 8))
    for (const bytes of index % 2 ? [damaged] : [intactZip.subarray(0, index)])
      try {
        const zip = await openZip(bytes)
        try {
          for (const name of zip.names) await zip.readText(name, mebibyte)
        } finally {
          zip.close()
        }
      } catch (error) {
        expect(error, `byte ${index}`).toMatchObject({ kind: 'unprocessable' })
      }
  }
})

it.each([true, false])('numbered parts contain the files of the zip, compressed: %s', async (compress) => {
  const zip = new ZipFile()
  const parts = [{ 'Export/a.md': 'first' }, { 'Export/b/c.md': 'second' }]
  for (const [index, part] of parts.entries()) {
    const files = Object.fromEntries(Object.entries(part).map(([name, text]) => [name, Buffer.from(text)]))
    zip.addBuffer(await zipFiles(files), `Export-1-Part-${index + 1}.zip`, { compress, mtime: new Date('2024-01-02') })
  }
  zip.end()
  const reader = await openZip(await buffer(zip.outputStream as never))
  expect(reader.names).toEqual(['a.md', 'b/c.md'])
  for (const text of ['first', 'second', 'first'])
    expect(await reader.readText(text === 'first' ? 'a.md' : 'b/c.md', mebibyte)).toBe(text)
  reader.close()
  expect(readdirSync(folder).filter((name) => !/^\d+\.zip$/.test(name))).toEqual([])
})

it('a part that unpacks to far more than its size is refused', async () => {
  const bomb = await zipFiles({ 'x-Part-1.zip': Buffer.alloc(64 * mebibyte) })
  await expect(openZip(bomb)).rejects.toMatchObject({ message: expect.stringContaining('far more than its size') })
})

it('the time of a file is read in the zone of the zip, unless it is in UTC', async () => {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from('a'), 'utc.md', { mtime: new Date('2024-07-02T10:00:00Z') })
  zip.addBuffer(Buffer.from('a'), 'local.md', { mtime: new Date(2024, 6, 2, 10), forceDosTimestamp: true })
  zip.addBuffer(Buffer.from('a'), 'none.md', { mtime: new Date(1980, 0, 1), forceDosTimestamp: true })
  zip.end()
  const reader = await openZip(await buffer(zip.outputStream as never))
  const times = ['utc.md', 'local.md', 'none.md', 'missing.md'].map((name) => reader.getModifiedAt(name, 'Asia/Tokyo'))
  expect(times).toEqual([Date.parse('2024-07-02T10:00:00Z'), Date.parse('2024-07-02T01:00:00Z'), undefined, undefined])
  expect(reader.getFingerprint('utc.md')).toBe(reader.getFingerprint('local.md'))
  reader.close()
})

it('archives of one owner are read one at a time, without blocking others', async () => {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const read = (ownerId: string, archive: string) =>
    withReadSlot(ownerId, async () => {
      started.push(archive)
      await new Promise<void>((end) => ends.set(archive, end))
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const reads = ['mallory 1', 'mallory 2', 'mallory 3', 'ada 1', 'ben 1', 'ada 2'].map((archive) =>
    read(archive.split(' ')[0] ?? '', archive),
  )
  await settle()
  expect(started).toEqual(['mallory 1', 'ada 1'])
  ends.get('ada 1')?.()
  await settle()
  expect(started.at(-1), 'before further archives of an owner who is reading').toBe('ben 1')
  ends.get('mallory 1')?.()
  await settle()
  expect(started.at(-1)).toBe('mallory 2')
  for (const archive of ['ben 1', 'mallory 2', 'ada 2', 'mallory 3']) {
    ends.get(archive)?.()
    await settle()
  }
  await Promise.all(reads)
  expect(started).toHaveLength(6)
})

it('an archive that cannot be read releases its slot', async () => {
  await expect(withReadSlot('ada', () => Promise.reject(new Error('unreadable')))).rejects.toThrow('unreadable')
  expect(await withReadSlot('ada', async () => 'read')).toBe('read')
})
