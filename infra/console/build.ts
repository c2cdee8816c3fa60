import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { versionOf } from '../../shared/http/bundled-file.ts'
import { platformArt } from './icons.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`src/${name}`, import.meta.url))

const built = (entryPoint: string, define: Readonly<Record<string, string>> = {}): string => {
  const { outputFiles } = buildSync({
    entryPoints: [entryPoint],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    alias: { 'social-publishing-client': fileOf('../../clients/javascript/src/index.ts') },
    define,
    external: ['./console-plot.js*'],
    tsconfigRaw: {},
    // What `Map.groupBy`, the newest that it uses, needs.
    target: ['chrome117', 'firefox119', 'safari17.4'],
    legalComments: 'none',
    logLevel: 'warning',
  })
  return outputFiles.map(({ text }) => text).join('')
}

/** The dot next to the name of the service. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#1f5fd6"/></svg>'

/** The page of the console. The addresses of its files contain their versions, so that browsers cache them for a year. */
const documentOf = (script: string, style: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Console · Social Publishing</title>
<link rel="icon" href="console.svg?v=${versionOf(icon)}">
<link rel="stylesheet" href="console.css?v=${versionOf(style)}">
<script type="module" src="console.js?v=${versionOf(script)}"></script>
</head>
<body>
<div id="app">
<main>
<h1>Console</h1>
<p role="status">Loading…</p>
<noscript><p>The console needs JavaScript. <a href="workspaces">Your workspaces</a> work without it.</p></noscript>
</main>
</div>
</body>
</html>
`

type Name = `console${'.html' | '.css' | '.js' | '.svg' | '-plot.js'}`

/** The files of the console, by name. The one view that has plots loads their library, which is a quarter of all bytes. */
export const consoleFiles = (): Readonly<Record<Name, string>> => {
  const [plot, style] = [built(fileURLToPath(import.meta.resolve('uplot'))), built(fileOf('style.css'))]
  const script = built(fileOf('index.tsx'), {
    PLATFORM_ART: JSON.stringify(platformArt()),
    PLOT: JSON.stringify(`./console-plot.js?v=${versionOf(plot)}`),
  })
  return {
    'console.html': documentOf(script, style),
    'console.css': style,
    'console.js': script,
    'console.svg': icon,
    'console-plot.js': plot,
  }
}
