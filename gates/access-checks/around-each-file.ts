import { appendFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'
import { everReached, turnOffForGood } from './switch.ts'

const { KEEPER_CHECK_OFF: off, KEEPER_CHECKS_REACHED: listing } = process.env

if (off) turnOffForGood(off)
if (listing)
  afterAll(() => {
    const { testPath } = expect.getState()
    appendFileSync(listing, `${JSON.stringify({ file: testPath, checks: [...everReached] })}\n`)
  })
