import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { cspPatches } from './build/csp-patches.ts'
import { documents } from './build/documents/write-documents.ts'
import { diagramPage, pdfFiles } from './build/emitted-files.ts'
import { installable, preloadWithoutServiceWorker, serviceWorker } from './build/installable.ts'
import { pageHead } from './build/page-head.ts'
import { prerenderedPages } from './build/prerendered-pages.ts'
import { slimContract } from './build/slim-contract.ts'
import { formulaFonts, slimIcons } from './build/slim-packages.ts'

const root = fileURLToPath(new URL('.', import.meta.url)).replace(/[\\/]$/, '')

/** @hevcjs/core exports only its player, so the decoder is imported from the package's wasm folder. */
const decoderFolder = fileURLToPath(new URL('../node_modules/@hevcjs/core/wasm', import.meta.url))

export default defineConfig({
  root,
  publicDir: false,
  resolve: { alias: { '@hevcjs/wasm': decoderFolder, 'node:fs': `${root}/build/no-file-system.ts` } },
  plugins: [
    cspPatches(),
    formulaFonts(),
    diagramPage(root),
    documents(root),
    pdfFiles(),
    prerenderedPages(root),
    pageHead(root),
    installable(root),
    tailwindcss(),
    react(),
    slimContract(),
    slimIcons(),
    preloadWithoutServiceWorker(),
    serviceWorker(root),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // The page policy forbids `data:` URLs for scripts, styles and fonts, and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Rolldown's timing hints would fill the terminal when a slow machine builds for the first time.
      checks: { bundlerTimings: false },
      input: ['index', 'landing', 'login', 'register'].map((page) => `${root}/${page}.html`),
    },
  },
})
