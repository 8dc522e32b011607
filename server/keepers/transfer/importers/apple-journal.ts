import { basename } from 'node:path/posix'
import { Problem } from '#server/http/problem.ts'
import { type ImportNotes, type NoteText, noteTexts } from '../import-notes.ts'
import type { ZipReader } from '../zip-reader.ts'
import {
  decodeName,
  type ForeignObject,
  hashContent,
  toInstant,
  toList,
  toObject,
  toPosition,
  toText,
} from './foreign-values.ts'
import {
  findElements,
  getAttribute,
  getClasses,
  getText,
  type HtmlNode,
  hasClass,
  isElement,
  nodesToMarkdown,
  parseHtml,
  readTextStyles,
} from './html-to-markdown.ts'
import type { ImportedEntry, ImportedFile, Importer, ReadContext } from './importer.ts'
import { isNear, readWrittenDay } from './text-dates.ts'

// The HTML export of Apple Journal: a page per entry in Entries, and in Resources the files of its grid of assets with
// a JSON file next to some of them.

const maxPageBytes = 16 * 1024 * 1024
const maxDetailsBytes = 1024 * 1024
const maxRecognitionPages = 20

export const appleJournal: Importer = {
  kind: 'apple-journal',
  recognizes: (zip) =>
    zip.someHeadMatches(listPages(zip).slice(0, maxRecognitionPages), (head) =>
      /class\s*=\s*["']?(?:pageContainer|pageHeader)\b/.test(head),
    ),
  async *read(zip, context) {
    const resources = indexResources(zip)
    for (const name of listPages(zip)) {
      const entry = await readPage(zip, name, { ...context, resources })
      if (entry) yield entry
    }
  },
}

/** The list of entries is a page, too. */
function listPages(zip: ZipReader): string[] {
  const pages = zip.list(/\.html?$/i).filter((name) => !/(?:^|\/)index\.html?$/i.test(name))
  const entryPages = pages.filter((name) => /(?:^|\/)Entries\/[^/]+$/i.test(name))
  return entryPages.length > 0 ? entryPages : pages
}

interface Resources {
  byName: Map<string, string>
  /** Files with the id of an asset, such as the film of a live photo. */
  byId: Map<string, string[]>
}

function indexResources(zip: ZipReader): Resources {
  const byName = new Map<string, string>()
  const byId = new Map<string, string[]>()
  for (const name of zip.names) {
    const file = /(?:^|\/)Resources\/([^/]+)$/i.exec(name)?.[1]?.toLowerCase()
    if (file === undefined) continue
    byName.set(file, name)
    const id = removeExtension(file)
    byId.set(id, [...(byId.get(id) ?? []), name])
  }
  return { byName, byId }
}

const removeExtension = (name: string) => name.replace(/\.[^.]*$/, '')

const appleNotes = {
  page: { one: '1 page couldn’t be read and is left out.', many: '# pages couldn’t be read and are left out.' },
  details: {
    one: 'The details of 1 picture, place or mood couldn’t be read.',
    many: 'The details of # pictures, places or moods couldn’t be read.',
  },
} satisfies Record<string, NoteText>

async function readPage(
  zip: ZipReader,
  name: string,
  context: ReadContext & { resources: Resources },
): Promise<ImportedEntry | undefined> {
  const { notes, timezone, resources } = context
  const label = basename(name)
  const tree = await readTree(zip, name)
  const findByClass = (className: string) => (tree ? findElements(tree, (element) => hasClass(element, className)) : [])
  const [header] = findByClass('pageHeader')
  if (!tree || (!header && findByClass('pageContainer').length === 0)) {
    notes.add(appleNotes.page, label)
    return undefined
  }
  const day = readDay(label, getText(header))
  const occurredAt = day === undefined ? undefined : toInstant(day, timezone)
  if (occurredAt === undefined) {
    notes.add(noteTexts.noDate, label)
    return undefined
  }
  const assets = new AssetReader({ zip, resources, notes })
  for (const item of findByClass('gridItem')) await assets.add(item)
  const prompts = [...findByClass('reflectionPrompt').map(getText), ...assets.prompts]
  const body = findBody(tree)
  const bodyHash = hashContent(body.map(getText).filter(Boolean).join(' '), 16)
  return {
    sourceId: `${removeExtension(label).slice(0, 120)} ${bodyHash}`,
    group: 'Apple Journal',
    occurredAt,
    title: findByClass('title').map(getText).filter(Boolean).join(' ') || undefined,
    text: nodesToMarkdown(body, readTextStyles(tree)),
    prompt: prompts.join(' '),
    ...assets.finish(),
  }
}

async function readTree(zip: ZipReader, name: string): Promise<HtmlNode | undefined> {
  try {
    return parseHtml(await zip.readText(name, maxPageBytes))
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** The header has the local day in the words of the device; the file name has the day in UTC, at most one day off. */
function readDay(fileName: string, header: string): string | undefined {
  const named = readFileDay(fileName)
  const headerDay = readWrittenDay(header, named)
  return named === undefined || (headerDay !== undefined && isNear(headerDay, named)) ? headerDay : named
}

function readFileDay(fileName: string): string | undefined {
  const day = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/.exec(fileName)?.[0]
  return day !== undefined && toInstant(day) !== undefined ? day : undefined
}

const outsideBody = ['pageHeader', 'assetGrid', 'title', 'reflectionPrompt']

/** The body element can open inside one paragraph and close inside another, so the text may be next to it. */
function findBody(tree: HtmlNode): HtmlNode[] {
  const bodies = findElements(tree, (element) => hasClass(element, 'bodyText'))
  if (bodies.some((body) => getText(body) !== '')) return bodies
  return findElements(tree, ({ tagName }) => tagName === 'body').map(removeChrome)
}

function removeChrome(node: HtmlNode): HtmlNode {
  if (!isElement(node)) return node
  const children = node.children.filter((child) => !outsideBody.some((name) => hasClass(child, name)))
  return { ...node, children: children.map((child) => removeChrome(child) as (typeof children)[number]) }
}

/** Asset kinds whose pictures are icons, maps and charts of the app. */
const cardKinds =
  /^(?:stateOfMind|contact|multiPinMap|genericMap|map|visit|location|motionActivity|workout\w*|thirdPartyMedia|podcast|song|music|book|reflection|streak\w*)$/i
const mapKinds = /^(?:multiPinMap|genericMap|map|visit|location)$/i
/** Buttons and backgrounds of the page. */
const chromeFiles = new Set(['audioplaybutton', 'audiowave', 'photos_icon', 'quotebubble'])
const cardTexts = new Set([
  'activityType',
  'gridItemOverlayHeader',
  'mediaTitle',
  'mediaArtist',
  'mediaCategory',
  'activityMetrics',
  'gridItemOverlayText',
  'gridItemOverlayFooter',
])

/** Steps of the scale of Apple's State of Mind. */
const valences = new Map([
  ['very unpleasant', -2],
  ['unpleasant', -1],
  ['slightly unpleasant', -1],
  ['neutral', 0],
  ['slightly pleasant', 1],
  ['pleasant', 1],
  ['very pleasant', 2],
])

type EntryPlace = NonNullable<ImportedEntry['place']>

interface AssetContext {
  zip: ZipReader
  resources: Resources
  notes: ImportNotes
}

class AssetReader {
  readonly prompts: string[] = []
  readonly #context: AssetContext
  readonly #files = new Map<string, ImportedFile>()
  readonly #details: string[] = []
  readonly #places: (EntryPlace & { isVisit: boolean })[] = []
  #mood: ImportedEntry['mood']

  constructor(context: AssetContext) {
    this.#context = context
  }

  async add(item: HtmlNode): Promise<void> {
    const kind = (getClasses(item).find((name) => name.startsWith('assetType_')) ?? '').slice('assetType_'.length)
    const id = getAttribute(item, 'id')?.toLowerCase() ?? ''
    const details = await this.#readDetails(id)
    const texts = findElements(item, (element) => getClasses(element).some((name) => cardTexts.has(name)))
      .map(getText)
      .filter(Boolean)
    const isMap = mapKinds.test(kind)
    this.#addPlaces(details, isMap ? texts : [], isMap)
    if (kind === 'stateOfMind') this.#addStateOfMind(details, texts)
    else if (kind === 'contact') this.#details.push(`With ${texts.join(', ')}`)
    else if (kind === 'reflection') this.prompts.push(...texts)
    else if (!isMap && cardKinds.test(kind)) this.#details.push(texts.join(' · '))
    if (!cardKinds.test(kind)) this.#addFiles(item, id, texts)
  }

  finish(): Pick<ImportedEntry, 'mood' | 'place' | 'files' | 'details'> {
    const places = this.#places.toSorted((left, right) => Number(right.isVisit) - Number(left.isVisit))
    const place = places.find(({ lat }) => lat !== undefined) ?? places[0]
    const names = new Set(places.map(({ name }) => name).filter((name) => name !== undefined))
    const placeList = names.size > 1 ? [`Places: ${[...names].join('; ')}`] : []
    return {
      mood: this.#mood,
      place,
      files: [...this.#files.values()],
      details: [...this.#details, ...placeList],
    }
  }

  async #readDetails(id: string): Promise<ForeignObject | undefined> {
    const { zip, resources, notes } = this.#context
    const name = id === '' ? undefined : resources.byName.get(`${id}.json`)
    if (name === undefined) return undefined
    try {
      return toObject(JSON.parse(await zip.readText(name, maxDetailsBytes)))
    } catch (error) {
      if (!(error instanceof Problem || error instanceof SyntaxError)) throw error
      notes.add(appleNotes.details, name)
      return undefined
    }
  }

  #addPlaces(details: ForeignObject | undefined, captions: readonly string[], isVisit: boolean): void {
    const previousCount = this.#places.length
    for (const value of [details, ...toList(details?.visits)]) {
      const visit = toObject(value) ?? {}
      const names = [toText(visit.placeName) ?? toText(visit.name), toText(visit.city)]
      const name = [...new Set(names.filter((part) => part !== undefined))].join(', ') || undefined
      if ((visit.placeName ?? visit.city ?? visit.latitude) !== undefined)
        this.#places.push({ name, ...toPosition(visit), isVisit })
    }
    if (this.#places.length === previousCount) for (const name of captions) this.#places.push({ name, isVisit })
  }

  #addStateOfMind(details: ForeignObject | undefined, texts: readonly string[]): void {
    const values = [details?.labels, details?.associations, texts].flatMap(toList)
    const labels = values.flatMap((value) => (toText(value) ?? '').split(',').map((label) => label.trim()))
    const uniqueLabels = [...new Set(labels.filter((label) => label !== ''))]
    const valence = uniqueLabels.find((label) => valences.has(label.toLowerCase()))
    if (valence !== undefined) this.#mood = { score: valences.get(valence.toLowerCase()) ?? 0, label: valence }
    if (uniqueLabels.length > 0) this.#details.push(`State of mind: ${uniqueLabels.join(', ')}`)
  }

  #addFiles(item: HtmlNode, id: string, texts: readonly string[]): void {
    const sources = findElements(item, ({ properties }) => typeof properties.src === 'string').map(
      (element) => getAttribute(element, 'src') ?? '',
    )
    const names = sources
      .filter((source) => source !== '' && !/^(?:https?|data):/i.test(source))
      .map((source) => decodeName(basename(source.split(/[?#]/)[0] ?? '')).normalize('NFC'))
    const files = names
      .filter((name) => !chromeFiles.has(removeExtension(name.toLowerCase())))
      .map((name) => this.#context.resources.byName.get(name.toLowerCase()) ?? `Resources/${name}`)
    const related = (this.#context.resources.byId.get(id) ?? []).filter((name) => !/\.json$/i.test(name))
    for (const file of [...files, ...related]) this.#files.set(file, { file, alt: texts.join(' · ') || undefined })
  }
}
