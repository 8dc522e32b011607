import type { QueryClient } from '@tanstack/react-query'
import { createRoot, type Root } from 'react-dom/client'
import { appLock } from '#contract/accounts/app-lock.ts'
import { ApiError, call } from '#web/api/api.ts'
import { pauseCalls, resumeCalls } from '#web/api/session-gate.ts'
import { isDue, type LockRecord, readLockRecord, writeLockRecord } from './lock-record.ts'
import { LockScreen } from './lock-screen.tsx'

interface WatchOptions {
  person: string
  /** Undefined while the server hasn't said. */
  minutes: number | null | undefined
  /** The server answered that the session is locked. */
  isLocked: boolean
  queryClient: QueryClient
  onUnlocked: () => void
}

const inputEvents = ['pointerdown', 'pointermove', 'keydown', 'input', 'wheel', 'touchstart'] as const
const checkIntervalMs = 1000
/** Tabs learn of each other's input at most this much later. */
const shareIntervalMs = 5000
const markRetryMs = 15_000
const minRecordIntervalMs = 500

/** Locks the page, with every other tab, after the minutes without input. Returns a disposer. */
export function watchForIdle({ person, minutes, isLocked, queryClient, onUnlocked }: WatchOptions): () => void {
  // The stored lock can belong to someone who used this browser before.
  if (readLockRecord()?.person !== person) writeLockRecord(null)
  const stored = readLockRecord()
  if (minutes === null && !isLocked) {
    // Turned off, perhaps on another device.
    writeLockRecord(null)
    onUnlocked()
    return () => undefined
  }
  const update = (changes: Partial<LockRecord>) => {
    const current = readLockRecord() ?? stored
    writeLockRecord({ ...emptyRecord, person, activeAt: Date.now(), ...current, ...changes })
  }
  update({ ...(minutes && { minutes }), ...(isLocked && { isLocked: true }), person })
  const cover = createCover()
  const channel = new BroadcastChannel(`keeper-lock-${person}`)
  let sharedAt = 0
  let activeAt = stored?.activeAt ?? Date.now()
  let markTimer: ReturnType<typeof setInterval> | undefined

  async function mark(): Promise<void> {
    try {
      await call(appLock.lock, { opensSession: true })
    } catch (reason) {
      // Nothing is set up to unlock with any more.
      if (reason instanceof ApiError && reason.status === 422) return release()
      if (!(reason instanceof ApiError)) return
    }
    clearInterval(markTimer)
  }
  function lock(isFirst: boolean): void {
    if (cover.isShown) return
    pauseCalls()
    update({ isLocked: true })
    queryClient.removeQueries({ type: 'inactive' })
    cover.show(<LockScreen person={person} onUnlocked={() => release('unlocked')} />)
    if (!isFirst) return
    channel.postMessage('locked')
    void mark()
    // Offline, the server learns of it later.
    clearInterval(markTimer)
    markTimer = setInterval(mark, markRetryMs)
  }
  function release(message?: 'unlocked'): void {
    clearInterval(markTimer)
    activeAt = Date.now()
    if (message) {
      update({ isLocked: false, activeAt, wrongTries: 0 })
      channel.postMessage(message)
    } else writeLockRecord(null)
    cover.hide()
    resumeCalls(true)
    void queryClient.invalidateQueries()
    onUnlocked()
  }
  function recordInput(): void {
    // A page restored after the time must not count its first click as presence.
    if (cover.isShown || Math.abs(Date.now() - activeAt) < minRecordIntervalMs || check()) return
    activeAt = Date.now()
    if (activeAt - sharedAt < shareIntervalMs) return
    sharedAt = activeAt
    update({ activeAt })
  }
  function check(): boolean {
    const record = readLockRecord() ?? { ...emptyRecord, person, activeAt, minutes: minutes ?? 0 }
    const isIdle = record.minutes > 0 && isDue({ ...record, activeAt: Math.max(activeAt, record.activeAt) })
    if (isIdle) lock(true)
    return isIdle
  }
  channel.onmessage = ({ data }) => {
    if (data === 'locked') lock(false)
    else if (cover.isShown) {
      activeAt = Date.now()
      cover.hide()
      resumeCalls(true)
      void queryClient.invalidateQueries()
      onUnlocked()
    }
  }
  for (const type of inputEvents) addEventListener(type, recordInput, { capture: true, passive: true })
  const timer = setInterval(check, checkIntervalMs)
  document.addEventListener('visibilitychange', check)
  addEventListener('pageshow', check)
  if (isLocked) lock(true)
  else if (!check()) {
    onUnlocked()
    call(appLock.settings).then(
      ({ hasPin, hasPassword, hasPasskey }) =>
        update({ hasPin, hasPassword, hasPasskey, ...(!hasPin && { verifier: undefined }) }),
      () => undefined,
    )
  }
  return () => {
    clearInterval(timer)
    clearInterval(markTimer)
    channel.close()
    document.removeEventListener('visibilitychange', check)
    removeEventListener('pageshow', check)
    for (const type of inputEvents) removeEventListener(type, recordInput, { capture: true })
    if (cover.isShown) resumeCalls(false)
    cover.hide()
  }
}

const emptyRecord = { minutes: 0, isLocked: false, hasPin: false, hasPassword: true, hasPasskey: false, wrongTries: 0 }

/** Hides the page with its dialogs, which stay as they are. Their listeners on the document must not hear of the cover. */
function createCover() {
  let root: Root | undefined
  let frame: HTMLElement | undefined
  let focused: Element | null = null
  const title = { text: '' }
  const stopAtFrame = (event: Event) => event.stopPropagation()
  const keepOutside = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || !frame?.contains(event.target as Node)) event.stopImmediatePropagation()
  }
  return {
    get isShown() {
      return frame !== undefined
    },
    show(screen: React.ReactNode) {
      focused = document.activeElement
      title.text = document.title
      document.title = 'Keeper'
      document.documentElement.dataset.locked = ''
      frame = document.createElement('div')
      frame.id = 'app-lock'
      const container = document.createElement('div')
      frame.append(container)
      document.body.append(frame)
      for (const type of ['pointerdown', 'mousedown', 'click', 'focusin', 'focusout', 'keydown', 'keyup'])
        frame.addEventListener(type, stopAtFrame)
      addEventListener('keydown', keepOutside, true)
      root = createRoot(container)
      root.render(screen)
    },
    hide() {
      if (!frame) return
      removeEventListener('keydown', keepOutside, true)
      root?.unmount()
      frame.remove()
      frame = undefined
      delete document.documentElement.dataset.locked
      document.title = title.text
      if (focused instanceof HTMLElement) focused.focus()
    },
  }
}
