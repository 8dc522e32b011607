import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { notifySignedInAgain } from '#web/offline/signed-in-user.ts'
import { onMissingToken, pauseCalls, resumeCalls } from '#web/session-gate.ts'

/** `cleared`: the browser no longer has the session. */
export type SessionLoss = 'cleared' | 'expired'

/** Pause after the last keystroke before the sign-in dialog interrupts. */
const idleMs = 1_500

/** Keeps the page open after its session is lost: calls wait, and the person is asked to sign in again when they pause. */
export function useLostSession() {
  const [sessionLoss, setSessionLoss] = useState<SessionLoss>()
  const [isPrompting, setPrompting] = useState(false)

  const lose = useCallback((loss: SessionLoss) => {
    pauseCalls()
    setSessionLoss((current) => current ?? loss)
  }, [])
  const giveUp = useCallback(() => {
    resumeCalls(false)
    setSessionLoss(undefined)
    setPrompting(false)
  }, [])
  const giveBack = useCallback(() => {
    resumeCalls(true)
    setSessionLoss(undefined)
    setPrompting(false)
    notifySignedInAgain()
  }, [])
  const dismissPrompt = useCallback(() => setPrompting(false), [])
  const prompt = useEffectEvent(() => {
    if (sessionLoss) setPrompting(true)
  })

  useEffect(() => onMissingToken(() => prompt()), [])
  useEffect(() => {
    if (!sessionLoss) return
    let timer = setTimeout(prompt, idleMs)
    const postpone = () => {
      clearTimeout(timer)
      timer = setTimeout(prompt, idleMs)
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
  }, [sessionLoss])

  return { how: sessionLoss, isAsking: isPrompting, lose, giveUp, giveBack, putOff: dismissPrompt }
}
