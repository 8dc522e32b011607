import { useCallback, useEffect, useMemo, useState } from 'react'
import { getTurningPoints, type RunAgent } from './run-agents.ts'

export const replaySpeeds = [1, 2, 4] as const
export type ReplaySpeed = (typeof replaySpeeds)[number]
const tickMs = 50

export function useReplay(agents: readonly RunAgent[], endMs: number) {
  const [chosenMs, setChosenMs] = useState<number>()
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<ReplaySpeed>(1)
  const ms = Math.min(chosenMs ?? endMs, endMs)
  const points = useMemo(() => getTurningPoints(agents, endMs), [agents, endMs])

  useEffect(() => {
    if (!playing) return
    let lastTick = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      const elapsed = (now - lastTick) * speed
      lastTick = now
      setChosenMs((previousMs) => Math.min(endMs, (previousMs ?? 0) + elapsed))
    }, tickMs)
    return () => clearInterval(timer)
  }, [playing, speed, endMs])
  useEffect(() => {
    if (playing && ms >= endMs) setPlaying(false)
  }, [playing, ms, endMs])

  const goTo = useCallback((next: number) => {
    setPlaying(false)
    setChosenMs(next)
  }, [])
  const toggle = () => {
    if (!playing && ms >= endMs) setChosenMs(0)
    setPlaying(!playing)
  }
  const previousPoint = points.findLast((point) => point < ms)
  const nextPoint = points.find((point) => point > ms)
  return {
    ms,
    playing,
    speed,
    setSpeed,
    goTo,
    toggle,
    stepBack: previousPoint === undefined ? undefined : () => goTo(previousPoint),
    stepForward: nextPoint === undefined ? undefined : () => goTo(nextPoint),
  }
}
export type Replay = ReturnType<typeof useReplay>
