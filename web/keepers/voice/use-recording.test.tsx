import 'fake-indexeddb/auto'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { type Recording, useRecording } from './use-recording.ts'

let recording: Recording | undefined
function Recorder() {
  const matchesEntry = () => false
  recording = useRecording({ keeperId: 'k', matchesEntry, place: 'new', isDemo: true, onChange: () => undefined })
  return null
}

test('a browser that cannot record does not ask for the microphone', async () => {
  const getUserMedia = vi.fn(async () => ({ getTracks: () => [] }))
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
  vi.stubGlobal('MediaRecorder', undefined)
  renderToStaticMarkup(<Recorder />)
  await recording?.recorder.start()
  expect(recording).toBeDefined()
  expect(getUserMedia).not.toHaveBeenCalled()
})
