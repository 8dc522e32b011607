import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { notifySignedInAgain } from '#web/offline/whose-browser.ts'
import { holdCalls, onMissingToken, releaseCalls } from '#web/session-gate.ts'

/** `cleared`: the browser has the session no more. `expired`: its time is over. */
export type SessionLoss = 'cleared' | 'expired'

/** Long enough after the last key that nobody is interrupted in a sentence. */
const restMs = 1_500

/**
 * The session of a page whose person has not left. The page stays as it is, its calls wait, and its person is asked to
 * sign in again once they stop typing or something they do needs the server.
 */
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
    // What is typed is in this page and nowhere else until its person has signed in again.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    // A phone's keyboard composes every word, and those keys reach no handler.
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
