import { setImmediate } from 'node:timers/promises'
import { toSlug } from '#contract/agents/agent-slug.ts'
import type { BookEntry } from '#contract/keepers/book.ts'
import type { Media } from '#contract/keepers/media.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { addLazyFile, addLazyText, streamZip } from '../transfer/export-keepers.ts'
import {
  type BookPosition,
  type BookSpan,
  createBookTooLongProblem,
  groupByMonth,
  loadBookEntries,
  planBook,
} from './book-plan.ts'
import { escapeXml, markdownToXhtml } from './markdown-to-xhtml.ts'

/** Types that every reader shows (EPUB 3.3, core media types). */
const pictureExtensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
}
const maxPictureBytes = 2 * 1024 ** 3
const batchSize = 100
const epubMime = 'application/epub+zip'

/**
 * A keeper, or a span of it, as EPUB 3.
 * @throws Problem 404; 400 for an invalid span; 413 for a book that is too long
 */
export async function exportEpub(
  services: Services,
  person: Person,
  keeperId: string,
  span: BookSpan,
): Promise<Response> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const { positions, zone, isTooLong } = await planBook(services, keeper, span)
  if (isTooLong) throw createBookTooLongProblem()
  const months = groupByMonth(positions)
  const files = await listPictures(services, positions)

  const book: EpubBook = {
    id: ['keeper', keeper.id, span.from ?? 'first', span.to ?? 'last'].join('-'),
    title: keeper.title,
    author: person.name ?? 'Keeper',
    span: formatSpan(positions[0]?.day, positions.at(-1)?.day),
    modified: services
      .now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z'),
    months: months.map(([month]) => month),
    pictures: new Map(files.map(({ id, path, mime }) => [id, { path, mime }])),
  }
  const fileName = [toSlug(keeper.title) || 'keeper', span.from, span.to].filter(Boolean).join('-')
  return streamZip(
    services,
    `${fileName}.epub`,
    async (zip) => {
      // The format requires this file first, uncompressed and without extra fields.
      zip.addBuffer(Buffer.from(epubMime), 'mimetype', { compress: false, forceDosTimestamp: true })
      zip.addBuffer(Buffer.from(containerXml), 'META-INF/container.xml')
      zip.addBuffer(Buffer.from(renderPackage(book)), 'book/content.opf')
      zip.addBuffer(Buffer.from(renderContents(book)), 'book/nav.xhtml')
      zip.addBuffer(Buffer.from(renderCover(book)), 'book/cover.xhtml')
      zip.addBuffer(Buffer.from(bookCss), 'book/book.css')
      for (const [month, monthPositions] of months)
        addLazyText(zip, `book/${getChapterPath(month)}`, () =>
          streamChapter(book, month, loadBatches(services, monthPositions, zone)),
        )
      const { media } = services
      for (const { path, sha256, size } of new Map(files.map((file) => [file.path, file])).values())
        addLazyFile(zip, `book/${path}`, () => media.read(sha256, 0, size))
    },
    epubMime,
  )
}

async function* loadBatches(
  services: Services,
  positions: readonly BookPosition[],
  zone: string,
): AsyncGenerator<BookEntry[]> {
  for (let index = 0; index < positions.length; index += batchSize)
    yield await loadBookEntries(services, positions.slice(index, index + batchSize), zone)
}

interface BookPicture {
  id: string
  path: string
  mime: string
  sha256: string
  size: number
}

/** Pictures of the entries, except those whose files are missing. @throws Problem 413 above the limit of a book */
async function listPictures(services: Services, positions: readonly BookPosition[]): Promise<BookPicture[]> {
  const momentIds = positions.filter(({ kind }) => kind === 'moment').map(({ id }) => id)
  const pictures: BookPicture[] = []
  let totalBytes = 0
  for (let index = 0; index < momentIds.length; index += batchSize) {
    const rows = await services.db
      .selectFrom('media')
      .select(['id', 'sha256', 'mime'])
      .where('entity', '=', 'moment')
      .where('entity_id', 'in', momentIds.slice(index, index + batchSize))
      .where('mime', 'in', Object.keys(pictureExtensions))
      .execute()
    for (const { id, sha256, mime } of rows) {
      const size = await services.media.getSize(sha256)
      if (size === undefined) continue
      totalBytes += size
      pictures.push({ id, sha256, size, mime, path: `pictures/${sha256}.${pictureExtensions[mime]}` })
    }
    if (totalBytes > maxPictureBytes)
      throw new Problem('too-large', {
        message: 'A book has at most 2 GB of pictures. Choose a shorter span of time.',
      })
  }
  return pictures
}

interface EpubBook {
  id: string
  title: string
  author: string
  /** Such as 'May 3, 2009 to November 28, 2026'; empty without entries. */
  span: string
  modified: string
  months: readonly string[]
  /** Paths and types of pictures in the book, by the id of their upload. */
  pictures: ReadonlyMap<string, { path: string; mime: string }>
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' })
const shortDayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const toNoon = (day: string) => new Date(`${day}T12:00:00Z`)
const formatMonth = (month: string) => monthFormat.format(toNoon(`${month}-15`))

function formatSpan(first: string | undefined, last: string | undefined): string {
  if (!first || !last) return ''
  const [start, end] = [first, last].map((day) => shortDayFormat.format(toNoon(day)))
  return start === end ? String(start) : `${start} to ${end}`
}

const getChapterPath = (month: string) => `chapter-${month}.xhtml`

const containerXml = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="book/content.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`

const bookCss = `body { margin: 5%; line-height: 1.5 }
h1, h2, h3, h4, h5, h6 { font-weight: normal; line-height: 1.25; break-after: avoid }
h2 { margin-top: 2.5em } article { margin: 1em 0 }
p { margin: .6em 0 } .text p { white-space: pre-line; overflow-wrap: anywhere }
.about { color: #555; font-size: .85em } .cover { margin-top: 30%; text-align: center }
figure { margin: 1em 0; break-inside: avoid } img { max-width: 100%; max-height: 95vh }
pre { white-space: pre-wrap } blockquote { margin: 1em 0; padding-left: 1em; border-left: 2px solid #c28a2a }
table { border-collapse: collapse } th, td { border-bottom: 1px solid #999; padding: .2em .5em }
`

function renderPackage(book: EpubBook): string {
  const chapters = book.months.map((month) => ({ id: `month-${month}`, path: getChapterPath(month) }))
  const pictures = [...new Map([...book.pictures.values()].map((picture) => [picture.path, picture])).values()]
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="id">${escapeXml(book.id)}</dc:identifier>
    <dc:title>${escapeXml(book.title)}</dc:title>
    <dc:creator>${escapeXml(book.author)}</dc:creator>
    <dc:language>und</dc:language>
    <meta property="dcterms:modified">${book.modified}</meta>
  </metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="cover" href="cover.xhtml" media-type="application/xhtml+xml"/>
    <item id="css" href="book.css" media-type="text/css"/>
${chapters.map(({ id, path }) => `    <item id="${id}" href="${path}" media-type="application/xhtml+xml"/>`).join('\n')}
${pictures.map(({ path, mime }, index) => `    <item id="picture-${index}" href="${path}" media-type="${mime}"/>`).join('\n')}
  </manifest>
  <spine>
    <itemref idref="cover"/>
    <itemref idref="nav"/>
${chapters.map(({ id }) => `    <itemref idref="${id}"/>`).join('\n')}
  </spine>
</package>
`
}

function renderCover({ title, author, span }: EpubBook): string {
  const lines = [author, span].filter(Boolean).map((line) => `<p>${escapeXml(line)}</p>`)
  return `${startPage(title)}<section class="cover"><h1>${escapeXml(title)}</h1>\n${lines.join('\n')}</section>${endPage}`
}

function renderContents({ title, months }: EpubBook): string {
  const years = Map.groupBy(months, (month) => month.slice(0, 4))
  const items = [...years].map(([year, monthsOfYear]) => {
    const links = monthsOfYear.map((month) => `<li><a href="${getChapterPath(month)}">${formatMonth(month)}</a></li>`)
    return `<li><span>${Number(year)}</span>\n<ol>\n${links.join('\n')}\n</ol></li>`
  })
  return `${startPage(`${title}: contents`)}<nav epub:type="toc" id="toc"><h1>Contents</h1>
<ol>
<li><a href="cover.xhtml">${escapeXml(title)}</a></li>
${items.join('\n')}
</ol></nav>${endPage}`
}

/** Duration of one slice of work, after which other requests are handled (ms). */
const sliceMs = 10

/** A chapter is a month; `entries` arrive in batches, so that no month is in memory at once. */
async function* streamChapter(
  book: EpubBook,
  month: string,
  batches: AsyncIterable<readonly BookEntry[]>,
): AsyncGenerator<string> {
  yield `${startPage(formatMonth(month))}<h1>${formatMonth(month)}</h1>\n`
  let day = ''
  let entryNumber = 0
  let sliceStartedAt = performance.now()
  for await (const batch of batches)
    for (const entry of batch) {
      if (entry.day !== day) yield `<h2>${dayFormat.format(toNoon(entry.day))}</h2>\n`
      day = entry.day
      entryNumber += 1
      for (const part of renderEntry(book, entry, `e${entryNumber}`)) {
        yield part
        if (performance.now() - sliceStartedAt < sliceMs) continue
        await setImmediate()
        sliceStartedAt = performance.now()
      }
    }
  yield endPage
}

function* renderEntry(book: EpubBook, { title, time, details, text, media }: BookEntry, id: string): Generator<string> {
  const about = [time, ...details].filter(Boolean).join(' · ')
  yield `<article id="${id}">\n`
  if (title) yield `<h3>${escapeXml(title)}</h3>\n`
  if (about) yield `<p class="about">${escapeXml(about)}</p>\n`
  if (text.trim() !== '') {
    yield '<div class="text" dir="auto">'
    yield* markdownToXhtml(text, id)
    yield '</div>\n'
  }
  for (const file of media) yield `${renderMedia(book, file)}\n`
  yield '</article>\n'
}

const mediaNames = { image: 'Picture', audio: 'Recording', video: 'Film', file: 'File' }

function renderMedia(book: EpubBook, { id, kind, alt, name }: Media): string {
  const picture = book.pictures.get(id)
  if (picture) return `<figure><img src="${picture.path}" alt="${escapeXml(alt ?? '')}"/></figure>`
  return `<p class="about">${mediaNames[kind]}, not in this book: ${escapeXml(alt || name || 'without a name')}</p>`
}

function startPage(title: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
<head>
<meta charset="utf-8"/>
<title>${escapeXml(title)}</title>
<link rel="stylesheet" type="text/css" href="book.css"/>
</head>
<body>
`
}

const endPage = '\n</body>\n</html>\n'
