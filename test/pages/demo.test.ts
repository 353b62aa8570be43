// run: takes 40 s
// Suites of one file share a browser and an app, so that each picture and clip is drawn once.
import './demo/first-visit.js'
import './demo/access.js'
