import type { QueryClient } from '@tanstack/react-query'
import { createRoot, type Root } from 'react-dom/client'
import { appLock } from '#contract/accounts/app-lock.ts'
import { ApiError, call } from '#web/api/api.ts'
import { pauseCalls, resumeCalls } from '#web/api/session-gate.ts'
import { isLockDue, type LockRecord, readLockRecord, writeLockRecord } from './lock-record.ts'
import { LockScreen } from './lock-screen.tsx'

interface WatchOptions {
  userId: string
  /** Undefined until the server has answered. */
  minutes: number | null | undefined
  /** The server answered that the session is locked. */
  isLocked: boolean
  queryClient: QueryClient
  onUnlocked: () => void
}

const inputEvents = ['pointerdown', 'pointermove', 'keydown', 'input', 'wheel', 'touchstart'] as const
const checkIntervalMs = 1000
/** Other tabs learn of input after this time at the latest. */
const shareIntervalMs = 5000
const reportRetryMs = 15_000
const minRecordIntervalMs = 500

/** Locks this and every other tab after `minutes` without input. Returns a function that stops watching. */
export function watchForIdle({ userId, minutes, isLocked, queryClient, onUnlocked }: WatchOptions): () => void {
  // The stored lock can belong to someone who used this browser before.
  if (readLockRecord()?.person !== userId) writeLockRecord(null)
  const storedRecord = readLockRecord()
  if (minutes === null && !isLocked) {
    // The lock was turned off, perhaps on another device.
    writeLockRecord(null)
    onUnlocked()
    return () => undefined
  }
  const update = (changes: Partial<LockRecord>) => {
    const current = readLockRecord() ?? storedRecord
    writeLockRecord({ ...emptyRecord, person: userId, activeAt: Date.now(), ...current, ...changes })
  }
  update({ ...(minutes && { minutes }), ...(isLocked && { isLocked: true }), person: userId })
  const cover = createCover()
  const channel = new BroadcastChannel(`keeper-lock-${userId}`)
  let sharedActiveAt = 0
  let activeAt = storedRecord?.activeAt ?? Date.now()
  let reportTimer: ReturnType<typeof setInterval> | undefined

  async function reportLock(): Promise<void> {
    try {
      await call(appLock.lock, { opensSession: true })
    } catch (reason) {
      // The account has no PIN, password or passkey left to unlock with.
      if (reason instanceof ApiError && reason.status === 422) return abandonLock()
      if (!(reason instanceof ApiError)) return
    }
    clearInterval(reportTimer)
  }
  function lock(lockedBy: 'this-tab' | 'another-tab'): void {
    if (cover.isShown) return
    pauseCalls()
    update({ isLocked: true })
    queryClient.removeQueries({ type: 'inactive' })
    cover.show(<LockScreen onUnlocked={unlock} />)
    if (lockedBy === 'another-tab') return
    channel.postMessage('locked')
    void reportLock()
    // Retries while offline.
    clearInterval(reportTimer)
    reportTimer = setInterval(reportLock, reportRetryMs)
  }
  function unlock(): void {
    update({ isLocked: false, activeAt: Date.now(), wrongTries: 0 })
    channel.postMessage('unlocked')
    uncover()
  }
  function abandonLock(): void {
    writeLockRecord(null)
    uncover()
  }
  function uncover(): void {
    clearInterval(reportTimer)
    activeAt = Date.now()
    cover.hide()
    resumeCalls({ isSignedIn: true })
    void queryClient.invalidateQueries()
    onUnlocked()
  }
  function recordInput(): void {
    // The first click on a page restored after the idle time isn't presence.
    if (cover.isShown || Math.abs(Date.now() - activeAt) < minRecordIntervalMs || lockIfIdle()) return
    activeAt = Date.now()
    if (activeAt - sharedActiveAt < shareIntervalMs) return
    sharedActiveAt = activeAt
    update({ activeAt })
  }
  function lockIfIdle(): boolean {
    const record = readLockRecord() ?? { ...emptyRecord, person: userId, activeAt, minutes: minutes ?? 0 }
    const isIdle = record.minutes > 0 && isLockDue({ ...record, activeAt: Math.max(activeAt, record.activeAt) })
    if (isIdle) lock('this-tab')
    return isIdle
  }
  channel.onmessage = ({ data }) => {
    if (data === 'locked') lock('another-tab')
    else if (cover.isShown) uncover()
  }
  for (const type of inputEvents) addEventListener(type, recordInput, { capture: true, passive: true })
  const timer = setInterval(lockIfIdle, checkIntervalMs)
  document.addEventListener('visibilitychange', lockIfIdle)
  addEventListener('pageshow', lockIfIdle)
  if (isLocked) lock('this-tab')
  else if (!lockIfIdle()) {
    onUnlocked()
    call(appLock.settings).then(
      ({ hasPin, hasPassword, hasPasskey }) =>
        update({ hasPin, hasPassword, hasPasskey, ...(!hasPin && { verifier: undefined }) }),
      () => undefined,
    )
  }
  return () => {
    clearInterval(timer)
    clearInterval(reportTimer)
    channel.close()
    document.removeEventListener('visibilitychange', lockIfIdle)
    removeEventListener('pageshow', lockIfIdle)
    for (const type of inputEvents) removeEventListener(type, recordInput, { capture: true })
    if (cover.isShown) resumeCalls({ isSignedIn: false })
    cover.hide()
  }
}

const emptyRecord = { minutes: 0, isLocked: false, hasPin: false, hasPassword: true, hasPasskey: false, wrongTries: 0 }

/** Hides the page and its open dialogs. Events in the cover don't reach their listeners, which would close them. */
function createCover() {
  let root: Root | undefined
  let frame: HTMLElement | undefined
  let focusedElement: Element | null = null
  let title = ''
  const stopPropagation = (event: Event) => event.stopPropagation()
  const blockKeysOutside = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || !frame?.contains(event.target as Node)) event.stopImmediatePropagation()
  }
  return {
    get isShown() {
      return frame !== undefined
    },
    show(screen: React.ReactNode) {
      focusedElement = document.activeElement
      title = document.title
      document.title = 'Keeper'
      document.documentElement.dataset.locked = ''
      frame = document.createElement('div')
      frame.id = 'app-lock'
      const container = document.createElement('div')
      frame.append(container)
      document.body.append(frame)
      for (const type of ['pointerdown', 'mousedown', 'click', 'focusin', 'focusout', 'keydown', 'keyup'])
        frame.addEventListener(type, stopPropagation)
      addEventListener('keydown', blockKeysOutside, true)
      root = createRoot(container)
      root.render(screen)
    },
    hide() {
      if (!frame) return
      removeEventListener('keydown', blockKeysOutside, true)
      root?.unmount()
      frame.remove()
      frame = undefined
      delete document.documentElement.dataset.locked
      document.title = title
      if (focusedElement instanceof HTMLElement) focusedElement.focus()
    },
  }
}
