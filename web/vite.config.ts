import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { cspPatches } from './build/csp-patches.ts'
import { installable } from './build/installable.ts'
import { pageHead } from './build/page-head.ts'
import { prerenderedPages } from './build/prerendered-pages.ts'
import { serviceWorker } from './build/service-worker.ts'
import { slimContract } from './build/slim-contract.ts'

const root = fileURLToPath(new URL('.', import.meta.url)).replace(/[\\/]$/, '')

const partsOfForms =
  /lucide-react\/dist\/esm\/icons\/(eye|eye-off)\.mjs|web\/ui\/(banner|control-classes|field|password-field|text-field)\.tsx?/
const partsOfButtons =
  /lucide-react\/dist\/esm\/(shared\/|\w+\.mjs|icons\/(circle-check|circle-exclamation-point|info|loader-circle|triangle-exclamation-point|x)\.mjs)|web\/ui\/(button|button-classes|icon-button)\.tsx?/
// Boards show many of them too, which would make a file of each.
const iconsOfShell =
  /lucide-react\/dist\/esm\/icons\/(book-marked|bug|chevron-down|chevron-right|cloud-off|feather|files|globe|house|key-round|layout-panel-left|library-big|log-out|mic|notebook-pen|notebook-tabs|route|scroll-text|search|shapes|shield|shield-check|stamp|sunrise|swatch-book|tags|users|waypoints)\.mjs/
// Every form has most of them; the shell and the pages at the door have none.
const boxesOfForms = /web\/ui\/(checkbox|labelled-toggle|number-field|on-send-key|switch|text-area)\.tsx?/
const draftsOfForms = /web\/offline\/(draft-keeper|stale-banner|use-draft)\.tsx?/
const liveEvents = /web\/shell\/(use-)?live-events\.ts/
// Most pages have all of them, those at the door none; by themselves they are cut along what each page happens to import.
const onEveryPage =
  /node_modules\/(react-router|zod|@tanstack\/(react-query|query-core))\/|web\/(browser-memory\.ts|ui\/(error-panel|anchor-button|copy-button|badge|kbd|link-button|format-time)\.tsx?|theme\/theme-memory\.ts|shell\/(key-names|crumb)\.ts)|lucide-react\/dist\/esm\/icons\/(copy|check|rotate-cw)\.mjs/

export default defineConfig({
  root,
  publicDir: false,
  plugins: [
    cspPatches(),
    prerenderedPages(root),
    pageHead(root),
    installable(root),
    tailwindcss(),
    react(),
    slimContract(),
    serviceWorker(root),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // The page policy has no data: for scripts, styles and fonts, and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index', 'landing', 'login', 'register'].map((page) => `${root}/${page}.html`),
      output: {
        // A dozen small files would cost the pages at the door a kilobyte more.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'fields', test: partsOfForms },
            { name: 'buttons', test: partsOfButtons },
            { name: 'icons', test: iconsOfShell },
            { name: 'boxes', test: boxesOfForms },
            { name: 'drafts', test: draftsOfForms },
            { name: 'live', test: liveEvents },
            { name: 'app', test: onEveryPage },
          ],
        },
      },
    },
  },
})
