import { toSlug } from '#contract/agents/agent-slug.ts'
import type { BookEntry } from '#contract/keepers/book.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { addLazyFile, addLazyText, streamZip } from '../transfer/export-keepers.ts'
import { createTooLong, loadBookEntries } from './book-entries.ts'
import { type BookPosition, type BookSpan, groupByMonth, planBook } from './book-plan.ts'
import {
  bookCss,
  containerXml,
  type EpubBook,
  formatSpan,
  getChapterPath,
  renderContents,
  renderCover,
  renderPackage,
  streamChapter,
} from './epub-pages.ts'

/** Types that every reader shows (EPUB 3.3, core media types). */
const pictureExtensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
}
const maxPictureBytes = 2 * 1024 ** 3
const batchSize = 100
const mime = 'application/epub+zip'

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
  if (isTooLong) throw createTooLong()
  const months = groupByMonth(positions)
  const files = await listPictures(services, positions)
  const [first, last] = [positions[0]?.day, positions.at(-1)?.day]
  const book: EpubBook = {
    id: ['keeper', keeper.id, span.from ?? 'first', span.to ?? 'last'].join('-'),
    title: keeper.title,
    author: person.name ?? 'Keeper',
    span: formatSpan(first, last),
    modified: services
      .now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z'),
    months: months.map(([month]) => month),
    pictures: new Map(files.map(({ id, path, mime: type }) => [id, { path, mime: type }])),
  }
  const fileName = [toSlug(keeper.title) || 'keeper', span.from, span.to].filter(Boolean).join('-')
  return streamZip(
    services,
    `${fileName}.epub`,
    async (zip) => {
      // The format requires this file first, uncompressed and without extra fields.
      zip.addBuffer(Buffer.from(mime), 'mimetype', { compress: false, forceDosTimestamp: true })
      zip.addBuffer(Buffer.from(containerXml), 'META-INF/container.xml')
      zip.addBuffer(Buffer.from(renderPackage(book)), 'book/content.opf')
      zip.addBuffer(Buffer.from(renderContents(book)), 'book/nav.xhtml')
      zip.addBuffer(Buffer.from(renderCover(book)), 'book/cover.xhtml')
      zip.addBuffer(Buffer.from(bookCss), 'book/book.css')
      for (const [month, ofMonth] of months)
        addLazyText(zip, `book/${getChapterPath(month)}`, () =>
          streamChapter(book, month, loadBatches(services, ofMonth, zone)),
        )
      const { media } = services
      for (const { path, sha256, size } of new Map(files.map((file) => [file.path, file])).values())
        addLazyFile(zip, `book/${path}`, () => media.read(sha256, 0, size))
    },
    mime,
  )
}

async function* loadBatches(
  services: Services,
  positions: readonly BookPosition[],
  zone: string,
): AsyncGenerator<BookEntry[]> {
  for (let at = 0; at < positions.length; at += batchSize)
    yield await loadBookEntries(services, positions.slice(at, at + batchSize), zone)
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
  let bytes = 0
  for (let at = 0; at < momentIds.length; at += batchSize) {
    const rows = await services.db
      .selectFrom('media')
      .select(['id', 'sha256', 'mime'])
      .where('entity', '=', 'moment')
      .where('entity_id', 'in', momentIds.slice(at, at + batchSize))
      .where('mime', 'in', Object.keys(pictureExtensions))
      .execute()
    for (const { id, sha256, mime: type } of rows) {
      const size = await services.media.getSize(sha256)
      if (size === undefined) continue
      bytes += size
      pictures.push({ id, sha256, size, mime: type, path: `pictures/${sha256}.${pictureExtensions[type]}` })
    }
    if (bytes > maxPictureBytes)
      throw new Problem('too-large', {
        message: 'A book has at most 2 GB of pictures. Choose a shorter span of time.',
      })
  }
  return pictures
}
