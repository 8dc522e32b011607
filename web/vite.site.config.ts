import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { cspPatches } from './build/csp-patches.ts'
import { pageHead } from './build/page-head.ts'
import { slimContract } from './build/slim-contract.ts'
import { formulaFonts, slimIcons } from './build/slim-packages.ts'

const root = fileURLToPath(new URL('.', import.meta.url)).replace(/[\\/]$/, '')

/** Built separately: code shared with the app would split its chunks further and slow down every signed-in page. */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [cspPatches(), formulaFonts(), pageHead(root), tailwindcss(), react(), slimContract(), slimIcons()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: false,
    manifest: '.vite/manifest-site.json',
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { bundlerTimings: false }, input: `${root}/site.html` },
  },
})
