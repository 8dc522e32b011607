import { basename, dirname } from 'node:path/posix'
import type { Element, Nodes } from 'hast'
import type { NoteText } from '../import-notes.ts'
import { maxTitleLength } from '../import-plan.ts'
import type { ZipReader } from '../zip-reader.ts'
import { readDateValue, readProperties } from './entry-properties.ts'
import { readFileTime, readTextFile } from './foreign-values.ts'
import {
  findElements,
  getText,
  type HtmlNode,
  hasClass,
  htmlToMarkdown,
  isElement,
  nodesToMarkdown,
  parseHtml,
} from './html-to-markdown.ts'
import type { ImportedEntry, Importer, ReadContext } from './importer.ts'
import { type LinkResolver, rewriteLinks } from './markdown-links.ts'
import { PathIndex } from './path-index.ts'
import { noteUnusedFiles } from './read-entries.ts'
import { findDateInName, getWrittenInstant } from './text-dates.ts'

// Notion's Markdown or HTML export: file names end in the page's id of 32 hexadecimal digits, and the rows of a
// database are pages in a folder next to its CSV file.

const pageName = /^(.*?)[ _-]?([0-9a-f]{32})\.(md|html)$/i
const databaseName = /^(.*?)[ _-]?([0-9a-f]{32})(?:_all)?\.csv$/i

export const notion: Importer = {
  kind: 'notion',
  recognizes(zip) {
    const texts = zip.names.filter((name) => /\.(?:md|html)$/i.test(name) && !/(?:^|\/)index\.html$/i.test(name))
    return texts.length > 0 && listPages(zip.names).length * 2 > texts.length
  },
  async *read(zip, context) {
    const pages = listPages(zip.names)
    const workspace: Workspace = {
      zip,
      files: new PathIndex(zip.names),
      databases: listDatabases(zip.names),
      ids: new Set(pages.map(({ id }) => id)),
    }
    const otherFiles = zip.names.filter((name) => !/\.(?:md|html|csv)$/i.test(name))
    yield* noteUnusedFiles(readPages(pages, workspace, context), otherFiles, context.notes)
  },
}

async function* readPages(
  pages: readonly Page[],
  workspace: Workspace,
  context: ReadContext,
): AsyncGenerator<ImportedEntry> {
  const readIds = new Set<string>()
  for (const page of pages) {
    const source = readIds.has(page.id) ? undefined : await readTextFile(workspace.zip, page.path, context.notes)
    if (source === undefined) continue
    readIds.add(page.id)
    yield readPage(source, page, workspace, context)
  }
}

interface Page {
  path: string
  id: string
  /** From the file name, in which long names are cut off. */
  name: string
}

interface Workspace {
  zip: ZipReader
  files: PathIndex
  ids: ReadonlySet<string>
  /** Folders with the pages of a database. */
  databases: ReadonlySet<string>
}

function listPages(names: readonly string[]): Page[] {
  return names.toSorted().flatMap((path) => {
    const [, name = '', id = ''] = pageName.exec(basename(path)) ?? []
    return id === '' ? [] : [{ path, id: id.toLowerCase(), name }]
  })
}

/** A folder has the name of its database, with or without its id. */
function listDatabases(names: readonly string[]): Set<string> {
  return new Set(
    names.flatMap((path) => {
      const [, name = '', id] = databaseName.exec(basename(path)) ?? []
      const folder = path.slice(0, path.lastIndexOf('/') + 1)
      return id === undefined ? [] : [`${folder}${name.trim()} ${id}`, `${folder}${name.trim()}`]
    }),
  )
}

const fileTimeNote: NoteText = {
  one: '1 page has no date in its properties or title: time taken from the file.',
  many: '# pages have no date in their properties or titles: time taken from the file.',
}

function readPage(
  source: string,
  page: Page,
  workspace: Workspace,
  { notes, timezone }: Pick<ReadContext, 'notes' | 'timezone'>,
): ImportedEntry {
  const { path, name, id } = page
  const isHtml = /\.html$/i.test(path)
  const content = isHtml
    ? readNotionHtml(source)
    : readNotionMarkdown(source, { isRow: workspace.databases.has(dirname(path)) })
  const title = content.title || name.trim()
  const { others, ...fields } = readProperties(content.properties, { notes, timezone, label: path, source: 'Notion' })
  const { text, files } = rewriteLinks(
    [content.body, others].filter(Boolean).join('\n\n'),
    createResolver(path, workspace),
  )
  const titleDate = findDateInName(title.replace(/^@/, ''))
  const zone = fields.timezone ?? timezone
  return {
    ...fields,
    sourceId: id,
    group: getGroup(path),
    occurredAt:
      fields.occurredAt ??
      findDateProperty(content.properties, zone) ??
      (titleDate
        ? getWrittenInstant(titleDate, zone)
        : readFileTime(workspace.zip, path, { notes, timezone }, fileTimeNote, title)),
    timezone: fields.timezone ?? (fields.occurredAt === undefined ? titleDate?.offset : undefined),
    title: isNameless(title) ? undefined : title,
    text,
    files,
  }
}

const isNameless = (title: string) =>
  /^(?:untitled|unbenannt|ohne titel|sans titre|sin título|sem título|senza titolo|naamloos|無題|无标题|제목 없음)$/i.test(
    title,
  )

function getGroup(path: string): string {
  const folder = path.split('/').at(-2) ?? ''
  return folder.replace(/[ _-]?[0-9a-f]{32}$/i, '').slice(0, maxTitleLength) || 'Notion'
}

const unrelatedDateName = /edit|updat|modif|bearbeit|geändert|due|fällig|deadline|birth|geburt/i

/** Finds a date in any property, for pages without a property that is named as a date. */
function findDateProperty(properties: ReadonlyMap<string, unknown>, timezone: string): number | undefined {
  for (const [key, value] of properties) {
    if (unrelatedDateName.test(key) || !/\d{4}/.test(String(value))) continue
    const date = readDateValue(value, timezone)
    if (date !== undefined && !/^\d+$/.test(String(value))) return date.at
  }
  return undefined
}

interface PageContent {
  title: string
  properties: Map<string, unknown>
  body: string
}

const propertyLine = /^([^\s:][^:\n]{0,79}):(?:[ \t]([^\n]*))?$/

/** `# Title`, then the properties of a row of a database, then the body. */
export function readNotionMarkdown(source: string, { isRow }: { isRow: boolean }): PageContent {
  const lines = source.replace(/\r\n?/g, '\n').split('\n')
  const title = /^#\s+(.*)$/.exec(lines[0] ?? '')?.[1]?.trim()
  let bodyStart = title === undefined ? 0 : 1
  while (bodyStart < lines.length && lines[bodyStart]?.trim() === '') bodyStart += 1
  const properties = new Map<string, unknown>()
  for (let end = bodyStart; isRow && end < lines.length; end += 1) {
    const line = lines[end] ?? ''
    const [, key, value = ''] = propertyLine.exec(line) ?? []
    // Notion has each property once, so a repeated name is part of the previous value.
    if (key !== undefined && !/^https?$/.test(key) && !properties.has(key.trim()))
      properties.set(key.trim(), value.trim())
    else if (line.trim() === '' || properties.size === 0) break
    else {
      // A value of several lines continues below its name.
      const lastKey = [...properties.keys()].at(-1) ?? ''
      properties.set(lastKey, `${properties.get(lastKey)}\n${line}`)
    }
    bodyStart = end + 1
  }
  return { title: title ?? '', properties, body: removeCalloutTags(lines.slice(bodyStart).join('\n')) }
}

/** A callout is the only block that Notion writes as HTML around Markdown. */
const removeCalloutTags = (text: string) => text.replace(/^<\/?aside>[ \t]*\n?/gim, '').trim()

function createResolver(from: string, { files, ids }: Workspace): LinkResolver {
  return {
    find(target) {
      const id = /([0-9a-f]{32})(?:\.(?:md|html))?$/i.exec(target)?.[1]?.toLowerCase()
      if (id !== undefined && ids.has(id)) return { kind: 'note', sourceId: id }
      const path = files.find(target, from)
      return path === undefined ? undefined : { kind: 'file', path }
    },
  }
}

/** Reads a page of Notion's HTML export: its title, properties table and body. */
export function readNotionHtml(html: string): { title: string; properties: Map<string, unknown>; body: string } {
  const root = parseHtml(html)
  if (!root) return { title: '', properties: new Map(), body: htmlToMarkdown(html) }
  const properties = new Map<string, unknown>()
  for (const row of findByClass(root, 'property-row')) {
    const [name, value] = row.children.filter((child) => child.type === 'element')
    const key = getText(name)
    if (value && key !== '') properties.set(key, readValue(value))
  }
  const [body] = findByClass(root, 'page-body')
  const [title] = findByClass(root, 'page-title')
  return {
    title: getText(title),
    properties,
    body: body
      ? nodesToMarkdown(
          mergeLists(body.children.flatMap(simplifyNode)).map(keepRelativeAddresses) as HtmlNode[],
        ).replaceAll(relativeBase, '')
      : '',
  }
}

const findByClass = (root: HtmlNode, name: string) => findElements(root, (element) => hasClass(element, name))

function readValue(cell: HtmlNode): unknown {
  const selected = findByClass(cell, 'selected-value').map(getText)
  if (selected.length > 0) return selected
  if (findByClass(cell, 'checkbox-on').length > 0) return 'Yes'
  if (findByClass(cell, 'checkbox-off').length > 0) return 'No'
  return getText(cell).replace(/^@/, '')
}

/** Converts check boxes and formulas to Markdown, and removes the table of contents. */
function simplifyNode(node: HtmlNode): HtmlNode[] {
  if (!isElement(node)) return [node]
  if (hasClass(node, 'table_of_contents') || (node.tagName === 'img' && hasClass(node, 'icon'))) return []
  if (hasClass(node, 'checkbox'))
    return [
      {
        ...node,
        tagName: 'input',
        properties: { type: 'checkbox', checked: hasClass(node, 'checkbox-on') },
        children: [],
      },
    ]
  if (hasClass(node, 'katex')) {
    const [formula] = findElements(node, ({ tagName }) => tagName === 'annotation')
    return formula ? [{ type: 'text', value: `$${getText(formula)}$` }] : []
  }
  return [{ ...node, children: mergeLists(node.children.flatMap(simplifyNode)) as Element['children'] }]
}

/** Notion writes a separate list for each item. */
function mergeLists(nodes: HtmlNode[]): HtmlNode[] {
  const merged: HtmlNode[] = []
  for (const node of nodes) {
    const last = merged.at(-1)
    const isSameList =
      node.type === 'element' &&
      last?.type === 'element' &&
      /^[ou]l$/.test(node.tagName) &&
      node.tagName === last.tagName &&
      String(node.properties.className) === String(last.properties.className)
    if (isSameList) merged[merged.length - 1] = { ...last, children: [...last.children, ...node.children] }
    else merged.push(node)
  }
  return merged
}

/** Placeholder for the page's folder, because only web addresses are converted to Markdown links. */
const relativeBase = 'https://relative.invalid/'

function keepRelativeAddresses<T extends Nodes>(node: T): T {
  if (!('children' in node)) return node
  const copy = { ...node, children: node.children.map(keepRelativeAddresses) } as T
  if (copy.type !== 'element') return copy
  for (const name of ['href', 'src']) {
    const address = copy.properties[name]
    if (typeof address === 'string' && !/^(?:[a-z][\w+.-]*:|\/|#)/i.test(address))
      copy.properties = { ...copy.properties, [name]: relativeBase + address }
  }
  return copy
}
