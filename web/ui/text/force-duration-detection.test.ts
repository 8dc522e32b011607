import { expect, it } from 'vitest'
import { forceDurationDetection } from './force-duration-detection.ts'

class Player extends EventTarget {
  currentTime = 1
  duration: number
  constructor(duration: number) {
    super()
    this.duration = duration
  }
  change(duration: number) {
    this.duration = duration
    this.dispatchEvent(new Event('durationchange'))
  }
}
const startLearning = (duration: number) => {
  const player = new Player(duration)
  forceDurationDetection(player as unknown as HTMLMediaElement)
  return player
}

it('a recording without a duration is moved past its end once, and back', () => {
  const player = startLearning(Number.POSITIVE_INFINITY)
  expect(player.currentTime).toBeGreaterThan(1e9)
  player.change(Number.POSITIVE_INFINITY)
  expect(player.currentTime).toBeGreaterThan(1e9)
  player.change(4)
  expect(player.currentTime).toBe(0)
  player.currentTime = 2
  player.change(4.1)
  expect(player.currentTime, 'later changes leave the position').toBe(2)
})

it('a recording with a duration keeps its position', () => {
  expect(startLearning(4).currentTime).toBe(1)
})
