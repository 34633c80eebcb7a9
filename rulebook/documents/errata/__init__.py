"""The slip of errata for those who hold the edition before."""
