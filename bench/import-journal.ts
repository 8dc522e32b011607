import { randomFillSync } from 'node:crypto'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openAsBlob,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js'
import { ZipFile } from 'yazl'
import { percentile, registerPerson, report, startKeeper } from './measure.ts'

// Importing a Day One export of 8,000 entries with 3,000 pictures on a machine with 1 GB. As root on Linux, the server
// runs in a control group with that limit; elsewhere only its memory is measured.

const entryCount = Number(process.env.KEEPER_BENCH_ENTRIES ?? 8000)
const pictureCount = 3000
const largePictureCount = 8
const limitMb = 1024
/** Leaves half the machine to the system, whose file cache counts towards the group's limit. */
const maxResidentMb = limitMb / 2
const entryIntervalMs = 19 * 3_600_000
const maxMinutes = 10
const port = 15_859
const url = `http://127.0.0.1:${port}`

const folder = mkdtempSync(join(process.env.KEEPER_BENCH_DIR ?? tmpdir(), 'keeper-bench-'))
const zipPath = join(folder, 'export.zip')
await writeExport()
const group = createControlGroup()
const keeper = await startKeeper(
  { PORT: String(port), KEEPER_DATA_DIR: join(folder, 'data'), KEEPER_NIGHTLY_BACKUPS: '0' },
  group?.launcher,
)
const headers = { authorization: `Bearer ${await registerPerson(url)}`, 'content-type': 'application/json' }
const keeperId = (
  await send<{ id: string }>('POST', 'keepers', {
    title: 'Bench',
    purpose: 'A journal',
    memoryPattern: 'sole',
    keeperType: 'journal',
  })
).id

/** Response times of other requests during the import (ms). */
const pingTimesMs: number[] = []
let isPinging = true
const pingLoop = (async () => {
  while (isPinging) {
    const startedAt = performance.now()
    await send('GET', `keepers/${keeperId}`)
    pingTimesMs.push(performance.now() - startedAt)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
})()

const firstImport = await importExport()
const peakMb = readPeakMb()
const secondImport = await importExport()
isPinging = false
await pingLoop
const undoStartedAt = performance.now()
await send('POST', `imports/${firstImport.id}/undo`)
const undoSeconds = (performance.now() - undoStartedAt) / 1000
const hasCrashed = keeper.process.exitCode !== null
await keeper.stop()
console.log(
  `       zip ${Math.round(statSync(zipPath).size / 1e6)} MB; second import ${secondImport.seconds.toFixed(0)} s; undo ${undoSeconds.toFixed(1)} s; other requests p95 ${percentile(pingTimesMs, 0.95).toFixed(0)} ms, longest ${Math.max(...pingTimesMs).toFixed(0)} ms`,
)
rmSync(folder, { recursive: true })
group?.remove()
const limitText = group ? ` in a control group of ${limitMb} MB` : ''
report(
  `import of ${entryCount.toLocaleString('en-US')} entries with pictures`,
  `${firstImport.imported} in ${firstImport.seconds.toFixed(0)} s, resident ${peakMb} MB at most${limitText}`,
  `all, ${maxMinutes} min, ${maxResidentMb} MB`,
  firstImport.imported === entryCount &&
    firstImport.seconds <= maxMinutes * 60 &&
    peakMb <= maxResidentMb &&
    !hasCrashed,
)
report('entries of a second import', `${secondImport.imported} new`, '0 new', secondImport.imported === 0)

interface Job {
  id: string
  state: string
  error: string | null
  done: number
  preview: { entries: number; duplicates: number; notes: string[] } | null
}

async function importExport(): Promise<{ id: string; seconds: number; imported: number }> {
  const startedAt = performance.now()
  const answer = await fetch(`${url}/api/keeper/imports?fileName=export.zip&keeperId=${keeperId}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/zip' },
    body: await openAsBlob(zipPath),
  })
  const { data } = (await answer.json()) as { data: Job }
  await waitFor(data.id, 'previewed')
  await send('POST', `imports/${data.id}/begin`, {})
  const { preview } = await waitFor(data.id, 'done')
  if (preview && preview.notes.length > 0) console.log(`       notes: ${preview.notes.join(' ')}`)
  const imported = (preview?.entries ?? 0) - (preview?.duplicates ?? 0)
  return { id: data.id, seconds: (performance.now() - startedAt) / 1000, imported }
}

async function waitFor(id: string, state: string): Promise<Job> {
  for (;;) {
    const job = await send<Job>('GET', `imports/${id}`)
    if (job.state === state) return job
    if (job.state === 'failed') throw new Error(`the import failed: ${job.error}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

async function send<Data>(method: string, path: string, body?: object): Promise<Data> {
  const answer = await fetch(`${url}/api/keeper/${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const { data, error } = (await answer.json()) as { data: Data; error?: string }
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${error}`)
  return data
}

function readPeakMb(): number {
  const status = readFileSync(`/proc/${keeper.process.pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

interface ControlGroup {
  launcher: string[]
  remove(): void
}

/** The launcher is a shell that joins the group and then replaces itself with the server. */
function createControlGroup(): ControlGroup | undefined {
  const [parent, limitFile] = existsSync('/sys/fs/cgroup/memory')
    ? ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes']
    : ['/sys/fs/cgroup', 'memory.max']
  const path = join(parent, `keeper-bench-${process.pid}`)
  try {
    mkdirSync(path)
    writeFileSync(join(path, limitFile), String(limitMb * 1024 * 1024))
  } catch {
    console.log('       no control group: run as root on Linux to limit the memory')
    return undefined
  }
  const script = `echo $$ > ${join(path, 'cgroup.procs')} && exec "$0" "$@"`
  return { launcher: ['/bin/sh', '-c', script], remove: () => rmdirSync(path) }
}

async function writeExport(): Promise<void> {
  const wasmBinary = readFileSync(fileURLToPath(import.meta.resolve('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm')))
  await initJpegEncoder({ wasmBinary })
  const smallPicture = await createPicture(640, 480)
  const largePicture = await createPicture(3200, 2400)
  const zip = new ZipFile()
  const writing = pipeline(zip.outputStream, createWriteStream(zipPath))
  const photos: string[] = []
  for (let index = 0; index < pictureCount; index++) {
    const md5 = index.toString(16).padStart(32, '0')
    photos.push(md5)
    zip.addBuffer(withComment(index < largePictureCount ? largePicture : smallPicture, md5), `photos/${md5}.jpeg`, {
      compress: false,
    })
  }
  const journalEntries = Array.from({ length: entryCount }, (_, index) => createEntry(index, photos[index]))
  zip.addBuffer(Buffer.from(JSON.stringify({ metadata: { version: '1.0' }, entries: journalEntries })), 'Journal.json')
  zip.end()
  await writing
}

/** Noise on a gradient, which compresses as badly as a photo. */
async function createPicture(width: number, height: number): Promise<Buffer> {
  const data = randomFillSync(Buffer.alloc(width * height * 4))
  for (let index = 0; index < data.length; index++)
    data[index] = index % 4 === 3 ? 255 : ((index / width) % 190) + (data[index] ?? 0) / 4
  const image = { data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' as const }
  return Buffer.from(await encodeJpeg(image, { quality: 85 }))
}

/** Gives the same picture different bytes. */
function withComment(jpeg: Buffer, comment: string): Buffer {
  const segment = Buffer.from([0xff, 0xfe, 0, comment.length + 2, ...Buffer.from(comment)])
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
}

function createEntry(index: number, photo: string | undefined): object {
  const lines = Array.from(
    { length: 12 },
    (_, line) => `Line ${line} of day ${index}: the harbor, the *tide* and what we said.`,
  )
  const contents = lines.map((text, line) => ({
    text: `${text}\n`,
    attributes: line === 0 ? { line: { header: 1 } } : {},
  }))
  return {
    uuid: index.toString(16).toUpperCase().padStart(32, '0'),
    creationDate: new Date(Date.UTC(2009, 0, 1) + index * entryIntervalMs).toISOString().replace('.000', ''),
    timeZone: 'Europe/Oslo',
    text: `# Day ${index}\n\n${lines.join('\n\n')}`,
    richText: JSON.stringify({ contents, meta: { version: 1 } }),
    tags: [`tag ${index % 40}`],
    location: {
      placeName: `Pier ${index % 300}`,
      latitude: 59 + (index % 100) / 100,
      longitude: 10,
      country: 'Norway',
    },
    weather: { temperatureCelsius: index % 30, conditionsDescription: 'Cloudy', weatherCode: 'cloudy' },
    ...(photo && {
      photos: [{ md5: photo, type: 'jpeg', identifier: photo, width: 640, height: 480, orderInEntry: 0 }],
    }),
  }
}
