import { useCallback, useEffect, useMemo, useState } from 'react'
import { getTurningPoints, type RunAgent } from './run-agents.ts'

export const replaySpeeds = [1, 2, 4] as const
export type ReplaySpeed = (typeof replaySpeeds)[number]
const tickMs = 50

export function useReplay(agents: readonly RunAgent[], endMs: number) {
  const [chosenMs, setChosenMs] = useState<number>()
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<ReplaySpeed>(1)
  const ms = Math.min(chosenMs ?? endMs, endMs)
  const turningPoints = useMemo(() => getTurningPoints(agents, endMs), [agents, endMs])

  useEffect(() => {
    if (!isPlaying) return
    let lastTickAt = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      const elapsedMs = (now - lastTickAt) * speed
      lastTickAt = now
      setChosenMs((previousMs) => Math.min(endMs, (previousMs ?? 0) + elapsedMs))
    }, tickMs)
    return () => clearInterval(timer)
  }, [isPlaying, speed, endMs])
  useEffect(() => {
    if (isPlaying && ms >= endMs) setPlaying(false)
  }, [isPlaying, ms, endMs])

  const goTo = useCallback((targetMs: number) => {
    setPlaying(false)
    setChosenMs(targetMs)
  }, [])
  const toggle = () => {
    if (!isPlaying && ms >= endMs) setChosenMs(0)
    setPlaying(!isPlaying)
  }
  const previousPoint = turningPoints.findLast((point) => point < ms)
  const nextPoint = turningPoints.find((point) => point > ms)
  return {
    ms,
    isPlaying,
    speed,
    setSpeed,
    goTo,
    toggle,
    stepBack: previousPoint === undefined ? undefined : () => goTo(previousPoint),
    stepForward: nextPoint === undefined ? undefined : () => goTo(nextPoint),
  }
}
export type Replay = ReturnType<typeof useReplay>
