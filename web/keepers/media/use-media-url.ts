import { useEffect, useState } from 'react'
import { keeperMedia } from '#contract/keepers/media.ts'
import { fetchFile } from '#web/api.ts'

interface Held {
  url: Promise<string>
  made?: string
  users: number
  letGo?: ReturnType<typeof setTimeout>
}

/** Somebody scrolling back finds it still there. */
const keptMs = 30_000
const held = new Map<string, Held>()

export type MediaUrl = { state: 'loading' | 'failed' } | { state: 'there'; url: string }

/**
 * The address of an upload's bytes within this page: they are fetched with the token, which no address could carry, and
 * let go of when nobody shows them any more. `enabled`: not before it is wanted.
 */
export function useMediaUrl(id: string, enabled = true): MediaUrl & { retry: () => void } {
  const [found, setFound] = useState<MediaUrl>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    if (!enabled) return
    let left = false
    setFound({ state: 'loading' })
    const file = take(id)
    file.url.then(
      (url) => !left && setFound({ state: 'there', url }),
      () => !left && setFound({ state: 'failed' }),
    )
    return () => {
      left = true
      giveBack(id, file)
    }
  }, [id, enabled, attempt])
  return { ...found, retry: () => setAttempt(attempt + 1) }
}

/** What was just chosen here need not be fetched to be shown. */
export function showAtOnce(id: string, blob: Blob): void {
  if (held.has(id)) return
  const made = URL.createObjectURL(blob)
  const file: Held = { url: Promise.resolve(made), made, users: 1 }
  held.set(id, file)
  giveBack(id, file)
}

function take(id: string): Held {
  let file = held.get(id)
  if (!file) {
    const fresh: Held = { url: load(id), users: 0 }
    fresh.url.then(
      (url) => {
        fresh.made = url
      },
      () => held.get(id) === fresh && held.delete(id),
    )
    held.set(id, fresh)
    file = fresh
  }
  clearTimeout(file.letGo)
  file.users++
  return file
}

async function load(id: string): Promise<string> {
  const { blob } = await fetchFile(keeperMedia.bytes, { params: { id } })
  return URL.createObjectURL(blob)
}

function giveBack(id: string, file: Held): void {
  file.users--
  if (file.users > 0) return
  clearTimeout(file.letGo)
  file.letGo = setTimeout(() => {
    if (held.get(id) === file) held.delete(id)
    if (file.made) URL.revokeObjectURL(file.made)
    else
      file.url.then(
        (url) => URL.revokeObjectURL(url),
        () => undefined,
      )
  }, keptMs)
}
