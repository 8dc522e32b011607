import { useCallback, useEffect, useMemo, useState } from 'react'
import { type RunAgent, turningPoints } from './run-agents.ts'

export const replaySpeeds = [1, 2, 4] as const
export type ReplaySpeed = (typeof replaySpeeds)[number]
const tickMs = 50

export function useReplay(agents: readonly RunAgent[], endMs: number) {
  const [chosen, setChosen] = useState<number>()
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<ReplaySpeed>(1)
  const ms = Math.min(chosen ?? endMs, endMs)
  const points = useMemo(() => turningPoints(agents, endMs), [agents, endMs])

  useEffect(() => {
    if (!playing) return
    let lastTick = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      const passed = (now - lastTick) * speed
      lastTick = now
      setChosen((at) => Math.min(endMs, (at ?? 0) + passed))
    }, tickMs)
    return () => clearInterval(timer)
  }, [playing, speed, endMs])
  useEffect(() => {
    if (playing && ms >= endMs) setPlaying(false)
  }, [playing, ms, endMs])

  const goTo = useCallback((next: number) => {
    setPlaying(false)
    setChosen(next)
  }, [])
  const toggle = () => {
    if (!playing && ms >= endMs) setChosen(0)
    setPlaying(!playing)
  }
  const before = points.findLast((point) => point < ms)
  const after = points.find((point) => point > ms)
  return {
    ms,
    playing,
    speed,
    setSpeed,
    goTo,
    toggle,
    back: before === undefined ? undefined : () => goTo(before),
    onward: after === undefined ? undefined : () => goTo(after),
  }
}
export type Replay = ReturnType<typeof useReplay>
