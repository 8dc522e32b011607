import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { onMissingToken, pauseCalls, resumeCalls } from '#web/api/session-gate.ts'
import { notifySignedInAgain } from '#web/offline/signed-in-user.ts'

/** `cleared`: the browser no longer has the session. */
export type SessionLoss = 'cleared' | 'expired'

/** Pause after the last keystroke before the sign-in dialog interrupts. */
const idleMs = 1_500

/** Keeps the page open after its session is lost: calls wait, and the person is asked to sign in again when they pause. */
export function useLostSession() {
  const [sessionLoss, setSessionLoss] = useState<SessionLoss>()
  const [isPrompting, setPrompting] = useState(false)

  const markLost = useCallback((loss: SessionLoss) => {
    pauseCalls()
    setSessionLoss((current) => current ?? loss)
  }, [])
  const abandonRecovery = useCallback(() => {
    resumeCalls({ isSignedIn: false })
    setSessionLoss(undefined)
    setPrompting(false)
  }, [])
  const markRecovered = useCallback(() => {
    resumeCalls({ isSignedIn: true })
    setSessionLoss(undefined)
    setPrompting(false)
    notifySignedInAgain()
  }, [])
  const dismissPrompt = useCallback(() => setPrompting(false), [])
  const showPrompt = useEffectEvent(() => {
    if (sessionLoss) setPrompting(true)
  })

  useEffect(() => onMissingToken(() => showPrompt()), [])
  useEffect(() => {
    if (!sessionLoss) return
    let timer = setTimeout(showPrompt, idleMs)
    const postponePrompt = () => {
      clearTimeout(timer)
      timer = setTimeout(showPrompt, idleMs)
    }
    // Unsent text exists only in this page until the person signs in again.
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    // Phone keyboards compose words without keydown events.
    for (const eventType of ['keydown', 'input']) document.addEventListener(eventType, postponePrompt)
    addEventListener('beforeunload', preventUnload)
    return () => {
      clearTimeout(timer)
      for (const eventType of ['keydown', 'input']) document.removeEventListener(eventType, postponePrompt)
      removeEventListener('beforeunload', preventUnload)
    }
  }, [sessionLoss])

  return { sessionLoss, isPrompting, markLost, abandonRecovery, markRecovered, dismissPrompt }
}
