import { createContext, use, useEffect, useState } from 'react'
import { keeperMedia } from '#contract/keepers/media.ts'
import { fetchFile } from '#web/api.ts'
import { waitingBytes } from './waiting-media.ts'

interface Held {
  url: Promise<string>
  made?: string
  users: number
  letGo?: ReturnType<typeof setTimeout>
}

/** Loads files on pages that show shared content; `null` loads from the person's own keepers. */
export interface MediaSource {
  name: string
  load: (id: string) => Promise<Blob>
}
export const MediaFrom = createContext<MediaSource | null>(null)

/** Keeps unused files cached for a reader who scrolls back. */
const keptMs = 30_000
const held = new Map<string, Held>()

export type MediaUrl = { state: 'loading' | 'failed' } | { state: 'there'; url: string }

/**
 * An object URL for an upload. The bytes are fetched with the session token, which a plain URL can't carry, and released
 * when nothing uses them. Loading starts when `enabled` is true.
 */
export function useMediaUrl(id: string, enabled = true): MediaUrl & { retry: () => void } {
  const [found, setFound] = useState<MediaUrl>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const source = use(MediaFrom)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    if (!enabled) return
    let left = false
    setFound({ state: 'loading' })
    const file = take(id, source)
    file.url.then(
      (url) => !left && setFound({ state: 'there', url }),
      () => !left && setFound({ state: 'failed' }),
    )
    return () => {
      left = true
      giveBack(keyOf(id, source), file)
    }
  }, [id, source, enabled, attempt])
  return { ...found, retry: () => setAttempt(attempt + 1) }
}

/** Makes a file picked in this page available without fetching it. */
export function showAtOnce(id: string, blob: Blob): void {
  if (held.has(id)) return
  const made = URL.createObjectURL(blob)
  const file: Held = { url: Promise.resolve(made), made, users: 1 }
  held.set(id, file)
  giveBack(id, file)
}

const keyOf = (id: string, source: MediaSource | null) => (source ? `${source.name}/${id}` : id)

function take(id: string, source: MediaSource | null): Held {
  const key = keyOf(id, source)
  let file = held.get(key)
  if (!file) {
    const fresh: Held = { url: load(id, source), users: 0 }
    fresh.url.then(
      (url) => {
        fresh.made = url
      },
      () => held.get(key) === fresh && held.delete(key),
    )
    held.set(key, fresh)
    file = fresh
  }
  clearTimeout(file.letGo)
  file.users++
  return file
}

async function load(id: string, source: MediaSource | null): Promise<string> {
  return URL.createObjectURL(source ? await source.load(id) : await ownBytes(id))
}

const ownBytes = async (id: string): Promise<Blob> =>
  (await waitingBytes(id)) ?? (await fetchFile(keeperMedia.bytes, { params: { id } })).blob

function giveBack(key: string, file: Held): void {
  file.users--
  if (file.users > 0) return
  clearTimeout(file.letGo)
  file.letGo = setTimeout(() => {
    if (held.get(key) === file) held.delete(key)
    if (file.made) URL.revokeObjectURL(file.made)
    else
      file.url.then(
        (url) => URL.revokeObjectURL(url),
        () => undefined,
      )
  }, keptMs)
}
