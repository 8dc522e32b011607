import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { browserArguments, findBrowser } from './find-browser.ts'
import { root } from './fingerprint.ts'

/** Renders web/themes/base/icon.svg as PNG files in web/themes/base/icons. Run it after changing the SVG. */
const iconFolder = join(root, 'web/themes/base/icons')
const paperColor = '#f5f2ea'

interface Picture {
  name: string
  pixels: number
  /** Free margin, 0 to 1; a maskable icon can lose a fifth on each side. */
  margin: number
}
const pictures: Picture[] = [
  { name: 'icon-192.png', pixels: 192, margin: 0.1 },
  { name: 'icon-512.png', pixels: 512, margin: 0.1 },
  { name: 'icon-maskable-512.png', pixels: 512, margin: 0.24 },
]

const drawing = readFileSync(join(root, 'web/themes/base/icon.svg'), 'utf8')
mkdirSync(iconFolder, { recursive: true })
const browser = await chromium.launch({
  executablePath: await findBrowser(),
  args: [...browserArguments, '--force-color-profile=srgb'],
})
try {
  for (const { name, pixels, margin } of pictures) {
    const page = await browser.newPage({ viewport: { width: pixels, height: pixels } })
    await page.setContent(
      `<style>body{margin:0;background:${paperColor}}svg{display:block;margin:${pixels * margin}px;width:${pixels * (1 - 2 * margin)}px}</style>${drawing}`,
    )
    await page.screenshot({ path: join(iconFolder, name) })
    await page.close()
  }
} finally {
  await browser.close()
}
