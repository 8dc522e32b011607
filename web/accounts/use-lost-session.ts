import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { notifySignedInAgain } from '#web/offline/whose-browser.ts'
import { holdCalls, onMissingToken, releaseCalls } from '#web/session-gate.ts'

/** `cleared`: the browser no longer has the session. */
export type SessionLoss = 'cleared' | 'expired'

/** Pause after the last keystroke before the sign-in dialog interrupts. */
const restMs = 1_500

/** Keeps the page open after its session is lost: calls wait, and the person is asked to sign in again when they pause. */
export function useLostSession() {
  const [how, setHow] = useState<SessionLoss>()
  const [isAsking, setAsking] = useState(false)

  const lose = useCallback((loss: SessionLoss) => {
    holdCalls()
    setHow((present) => present ?? loss)
  }, [])
  const giveUp = useCallback(() => {
    releaseCalls(false)
    setHow(undefined)
    setAsking(false)
  }, [])
  const giveBack = useCallback(() => {
    releaseCalls(true)
    setHow(undefined)
    setAsking(false)
    notifySignedInAgain()
  }, [])
  const putOff = useCallback(() => setAsking(false), [])
  const ask = useEffectEvent(() => {
    if (how) setAsking(true)
  })

  useEffect(() => onMissingToken(() => ask()), [])
  useEffect(() => {
    if (!how) return
    let timer = setTimeout(ask, restMs)
    const postpone = () => {
      clearTimeout(timer)
      timer = setTimeout(ask, restMs)
    }
    // Unsent text exists only in this page until the person signs in again.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    // Phone keyboards compose words without keydown events.
    for (const kind of ['keydown', 'input']) document.addEventListener(kind, postpone)
    addEventListener('beforeunload', warn)
    return () => {
      clearTimeout(timer)
      for (const kind of ['keydown', 'input']) document.removeEventListener(kind, postpone)
      removeEventListener('beforeunload', warn)
    }
  }, [how])

  return { how, isAsking, lose, giveUp, giveBack, putOff }
}
