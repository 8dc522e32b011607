import { browserArguments } from '../../scripts/find-browser.ts'

/** Browser options with a fake microphone that beeps and is allowed on every page. */
export const fakeMicrophone = {
  contextOptions: { reducedMotion: 'reduce' as const, permissions: ['microphone'] },
  launchOptions: {
    executablePath: process.env.CHROMIUM,
    args: [...browserArguments, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  },
}
