import { browserArguments } from '../../scripts/find-browser.ts'

/** For `test.use`: a browser whose microphone gives a beep of its own and which lets every page use it. */
export const withMicrophone = {
  contextOptions: { reducedMotion: 'reduce' as const, permissions: ['microphone'] },
  launchOptions: {
    executablePath: process.env.CHROMIUM,
    args: [...browserArguments, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  },
}
