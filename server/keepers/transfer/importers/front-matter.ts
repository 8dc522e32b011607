import { parse } from 'yaml'
import { toYamlProperties, yamlMapOptions } from '#contract/yaml-properties.ts'
import type { ImportNotes, NoteText } from '../import-notes.ts'

const maxLength = 64 * 1024
const openingLine = /^---[ \t]*\r?\n/
const closingLine = /(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/

/** The YAML between `---` at the very start, and the text after it. YAML that can't be read is read line by line. */
export function readFrontMatter(
  source: string,
  notes: ImportNotes,
  label: string,
): { properties: Map<string, unknown>; body: string } {
  const opening = openingLine.exec(source)
  if (!opening) return { properties: new Map(), body: source }
  const start = opening[0].length
  const closing = closingLine.exec(source.slice(start - 1, start + maxLength))
  if (!closing) return { properties: new Map(), body: source }
  const yaml = source.slice(start, start - 1 + closing.index)
  const body = source.slice(start - 1 + closing.index + closing[0].length)
  const value = parseYaml(yaml)
  if (value === undefined) notes.add(unreadableYaml, label)
  return { properties: value === undefined ? readLines(yaml) : new Map(Object.entries(value)), body }
}

const unreadableYaml: NoteText = {
  one: '1 note has front matter that isn’t valid YAML; the lines that can be read are imported.',
  many: '# notes have front matter that isn’t valid YAML; the lines that can be read are imported.',
}

/** Dates stay strings, so that the parser doesn't guess a time zone. */
function parseYaml(yaml: string): Record<string, unknown> | undefined {
  try {
    return toYamlProperties(parse(yaml, { ...yamlMapOptions, schema: 'core', maxAliasCount: 10 }))
  } catch {
    return undefined
  }
}

/** `key: value` lines and the `- item` lines below them. */
function readLines(yaml: string): Map<string, unknown> {
  const values = new Map<string, unknown>()
  let list: string[] | undefined
  for (const line of yaml.split(/\r?\n/)) {
    const item = /^\s*-\s(.*)$/.exec(line)?.[1]
    if (item !== undefined) {
      list?.push(unquote(item))
      continue
    }
    const [, key, text = ''] = /^([^\s:#-][^:]{0,80}):(?:\s(.*))?$/.exec(line) ?? []
    if (key === undefined) continue
    list = text.trim() === '' ? [] : undefined
    values.set(key, list ?? unquote(text))
  }
  return values
}

const unquote = (text: string) => text.trim().replace(/^(["'])(.*)\1$/, '$2')
