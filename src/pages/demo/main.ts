document.querySelector('#main')?.append('Demo')
