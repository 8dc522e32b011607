/// <reference path="./iconv-lite.d.ts" />
import extraTables from 'iconv-lite/encodings/sbcs-data.js'
import generatedTables from 'iconv-lite/encodings/sbcs-data-generated.js'

export type Decode = (bytes: Uint8Array) => string

interface SingleByteTable {
  /** The upper 128 or all 256 characters. */
  chars: string
}

/** Code pages whose number isn't part of a label that `TextDecoder` knows. */
const labelByCodePage: Record<number, string> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  1201: 'utf-16be',
  10000: 'macintosh',
  10001: 'shift_jis',
  10002: 'big5',
  10003: 'euc-kr',
  10004: 'iso-8859-6',
  10005: 'windows-1255',
  10006: 'macgreek',
  10007: 'x-mac-cyrillic',
  10008: 'gbk',
  10010: 'macromania',
  10017: 'x-mac-cyrillic',
  10021: 'macthai',
  10029: 'maccenteuro',
  10079: 'maciceland',
  10081: 'macturkish',
  10082: 'maccroatian',
  20866: 'koi8-r',
  20932: 'euc-jp',
  21866: 'koi8-u',
  20127: 'windows-1252',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  51936: 'gbk',
  51949: 'euc-kr',
  54936: 'gb18030',
  65001: 'utf-8',
}

/** By a label of the Encoding Standard or another common name, such as `cp850`; undefined if it's unknown. */
export function findDecoder(name: string): Decode | undefined {
  const label = name.trim().toLowerCase()
  const codePage = /^(?:x-)?(?:cp|ms|ibm|dos|win|windows)?[-_]?0*(\d{3,5})$/.exec(label)?.[1]
  return findStandardDecoder(label) ?? (codePage ? findCodePage(Number(codePage)) : findTableDecoder(label))
}

/** By the number of a Windows, DOS or Mac code page. */
export function findCodePage(codePage: number): Decode | undefined {
  const label = labelByCodePage[codePage]
  if (label) return findStandardDecoder(label) ?? findTableDecoder(label)
  return (
    findStandardDecoder(`windows-${codePage}`) ??
    findStandardDecoder(`ibm${codePage}`) ??
    (codePage > 28_590 && codePage < 28_607 ? findStandardDecoder(`iso-8859-${codePage - 28_590}`) : undefined) ??
    findTableDecoder(`cp${codePage}`)
  )
}

function findStandardDecoder(label: string): Decode | undefined {
  try {
    const decoder = new TextDecoder(label)
    return (bytes) => decoder.decode(bytes)
  } catch {
    return undefined
  }
}

function findTableDecoder(label: string): Decode | undefined {
  const tables: Record<string, unknown> = { ...generatedTables, ...extraTables }
  let key: unknown = label.replace(/^x-/, '').replace(/[^a-z0-9]/g, '')
  // Names can stand for other names, at most twice.
  for (let step = 0; step < 3 && typeof key === 'string'; step++) key = Object.hasOwn(tables, key) ? tables[key] : null
  const chars = (key as SingleByteTable | null)?.chars
  return typeof chars === 'string' ? (bytes) => decodeByTable(bytes, chars) : undefined
}

function decodeByTable(bytes: Uint8Array, chars: string): string {
  const units = new Uint16Array(bytes.length)
  const start = 256 - chars.length
  for (const [index, byte] of bytes.entries()) units[index] = byte < start ? byte : chars.charCodeAt(byte - start)
  return new TextDecoder('utf-16le').decode(units)
}
